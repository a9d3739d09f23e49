/** `npm run package`: builds and packs the npm package; options may follow. */
import { launch } from './launch.js'

launch('all', 'scripts/package.ts', process.argv.slice(2))
