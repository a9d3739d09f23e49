/** Loads the first page; at once also the scripts of the page that the address names. */
import { load, scriptsFor } from './scripts.js'

scriptsFor(location.hash.split('?')[0]).forEach(load)
import('./app.js')
