/** `npm run bench`: measures everything beside its peers, or the parts that are named. */
import { launch } from '../scripts/launch.js'

launch('all', 'bench/run.ts', process.argv.slice(2))
