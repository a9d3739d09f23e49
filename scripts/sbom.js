/** `npm run sbom`: writes the bill of materials and the licences of the npm package, after `npm run package`. */
import { launch } from './launch.js'

launch('all', 'scripts/sbom.ts', process.argv.slice(2))
