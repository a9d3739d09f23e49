/** `npm run test:crash`: kills servers under load and checks the ledger; options may follow. */
import { launch } from './launch.js'

launch('all', 'test/long/crash.ts', process.argv.slice(2))
