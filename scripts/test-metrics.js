/** `npm run test:metrics`: the metrics, alert rules and dashboard with the real Prometheus (Debian's package prometheus). */
import { launch } from './launch.js'

launch('all', 'test/long/metrics.ts', process.argv.slice(2))
