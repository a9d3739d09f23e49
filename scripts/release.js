/** `npm run release -- VERSION`: prepares a release in the checkout; it neither commits nor publishes. */
import { launch } from './launch.js'

launch('all', 'scripts/release.ts', process.argv.slice(2))
