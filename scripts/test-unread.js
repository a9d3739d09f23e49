/** `npm run test:unread`: large replies that nobody reads. */
import { launch } from './launch.js'

launch('all', 'proofs/unread-replies.ts', process.argv.slice(2))
