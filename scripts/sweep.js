/** `npm run sweep`: compares every operation with exact arithmetic over its whole domain; options may follow. */
import { launch } from './launch.js'

launch('all', 'test/numerics/sweep.ts', process.argv.slice(2))
