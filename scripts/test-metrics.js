/** `npm run test:metrics`: the metrics, alert rules and dashboard with the real Prometheus (Debian's package prometheus). */
import { launch } from './launch.js'

launch('all', 'proofs/monitoring/run.ts', process.argv.slice(2))
