/** `npm run test:model`: the long version of the model-based test of the ledger. */
import { launch } from './launch.js'

launch('all', 'test/long/model.ts', process.argv.slice(2))
