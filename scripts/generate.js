/** `npm run generate`: renews the files that are derived from the declarations. */
import { launch } from './launch.js'

launch('all', 'scripts/generate.ts', process.argv.slice(2))
