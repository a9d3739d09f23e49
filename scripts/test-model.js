/** `npm run test:model`: the long version of the model-based test of the ledger. */
import { launch } from './launch.js'

launch('all', 'proofs/model.ts', process.argv.slice(2))
