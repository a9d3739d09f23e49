/** `npm run test:crash`: `quantd torture` with the packages it needs for PostgreSQL; its options may follow. */
import { launch } from './launch.js'

launch('all', 'src/cli.ts', ['torture', ...process.argv.slice(2)])
