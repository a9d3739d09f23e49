/** `npm run soak`: mixed load with faults on both databases; options may follow. */
import { launch } from './launch.js'

launch('all', 'test/long/soak.ts', process.argv.slice(2))
