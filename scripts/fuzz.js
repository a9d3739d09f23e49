/** `npm run fuzz`: hostile requests to a real service, every reply checked; its options may follow. */
import { launch } from './launch.js'

launch('all', 'proofs/fuzz.ts', process.argv.slice(2))
