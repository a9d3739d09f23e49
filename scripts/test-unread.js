/** `npm run test:unread`: large replies that nobody reads. */
import { launch } from './launch.js'

launch('all', 'test/long/unread.ts', process.argv.slice(2))
