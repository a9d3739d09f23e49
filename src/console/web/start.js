/** Loads the first page; at once also the pages behind it, where the address names one of them. */
if (location.hash.length > '#/'.length) import('./pages.js').catch(() => {})
import('./app.js')
