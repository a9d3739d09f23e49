/** `npm run test:citus`: the tests of the store on a Citus cluster; names or paths of tests may follow. */
import { launch } from './launch.js'

launch('all', 'scripts/test-citus.ts', process.argv.slice(2))
