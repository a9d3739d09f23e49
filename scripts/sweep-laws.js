/** `npm run sweep:laws`: the laws of Variance Gamma prices over many inputs, and the slowest; options may follow. */
import { launch } from './launch.js'

launch('all', 'test/numerics/sweep-laws.ts', process.argv.slice(2))
