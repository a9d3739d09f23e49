/** The first script: loads the first page and, at the same time, the scripts of the page that the address names. */
import { load, scriptsFor } from './scripts.ts'

scriptsFor(location.hash.split('?')[0]).forEach(load)
import('./app.tsx')
