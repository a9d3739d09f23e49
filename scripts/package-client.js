/** `npm run package:client`: builds and packs the npm package of the TypeScript client; options may follow. */
import { launch } from './launch.js'

launch('all', 'scripts/package-client.ts', process.argv.slice(2))
