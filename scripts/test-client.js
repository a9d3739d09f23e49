/** `npm run test:client`: the package of the TypeScript client, checked and run in every runtime. */
import { launch } from './launch.js'

launch('all', 'test/long/client.ts', process.argv.slice(2))
