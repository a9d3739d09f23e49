/** `npm test`: every check and every test, or those that are named. */
import { launch } from './launch.js'

launch('all', 'scripts/test.ts', process.argv.slice(2))
