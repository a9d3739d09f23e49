/** `npm run test:client`: the package of the TypeScript client, checked and run in Node and Chromium. */
import { launch } from './launch.js'

launch('all', 'proofs/client.ts', process.argv.slice(2))
