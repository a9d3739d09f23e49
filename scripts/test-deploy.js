/** `npm run test:package` and the like: the tests of one way to install or run the service, which is named. */
import { launch } from './launch.js'

launch('all', 'scripts/test-deploy.ts', process.argv.slice(2))
