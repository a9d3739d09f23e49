/** `npm run fuzz`: sends malformed requests to a real service and checks every reply; options may follow. */
import { launch } from './launch.js'

launch('all', 'test/long/fuzz.ts', process.argv.slice(2))
