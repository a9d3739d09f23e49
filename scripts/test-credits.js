/** `npm run test:credits`: a thousand parallel calls on one credit, a hundred times over. */
import { launch } from './launch.js'

launch('all', 'test/long/credits.ts', process.argv.slice(2))
