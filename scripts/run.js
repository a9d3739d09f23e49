/** Runs an npm script by its name: `node scripts/run.js test:crash`, with the caller's options. For any Node ≥ 20. */

import { launch } from './launch.js'
import { fail } from './run-node.js'

/** The file of each script, and the arguments that precede the caller's. */
const SCRIPTS = {
  start: ['src/app/quantd.ts', 'serve'],
  test: ['scripts/test.ts'],
  'test:all': ['scripts/test-all.ts'],
  'test:crash': ['test/long/crash.ts'],
  'test:model': ['test/long/model.ts'],
  'test:citus': ['test/long/citus.ts'],
  'test:receipts': ['test/long/receipts.ts'],
  'test:operators': ['test/long/operators.ts'],
  'test:fairness': ['test/long/fairness.ts'],
  'test:memory': ['test/long/memory.ts'],
  'test:metrics': ['test/long/metrics.ts'],
  'test:client': ['test/long/client.ts'],
  'test:numerics': ['test/long/numerics.ts'],
  'test:mcp': ['test/long/mcp.ts'],
  'test:package': tests('package', 'release'),
  'test:image': tests('image'),
  'test:proxies': tests('proxies'),
  'test:failover': tests('failover', 'replica', 'pooler'),
  'test:topology': tests('topology', 'compose', 'grafana', 'alertmanager'),
  'test:systemd': tests('systemd', 'production'),
  'test:chart': tests('chart'),
  fuzz: ['test/long/fuzz.ts'],
  soak: ['test/long/fuzz.ts', '--requests', '100000000', '--minutes', '30'],
  sweep: ['test/numerics/sweep.ts'],
  'sweep:laws': ['test/numerics/sweep-laws.ts'],
  'sweep:work': ['test/compute/catalogue/sweep-work.ts'],
  'sweep:american': ['test/numerics/sweep-american.ts'],
  'sweep:calibration': ['test/numerics/sweep-calibration.ts'],
  bench: ['bench/run.ts'],
  package: ['scripts/package.ts'],
  'package:client': ['scripts/package-library.ts', 'clients/typescript'],
  'package:numerics': ['scripts/package-library.ts', 'src/numerics'],
  'package:python': ['scripts/package-python.ts'],
  sbom: ['scripts/sbom.ts'],
  release: ['scripts/release.ts'],
  generate: ['scripts/generate.ts'],
}

const [script, ...args] = process.argv.slice(2)
if (!Object.hasOwn(SCRIPTS, script)) fail(`no npm script is named ${script}`)
else {
  const [file, ...first] = SCRIPTS[script]
  // Help and messages of the service name a command that its operator can type.
  const isService = script === 'start'
  launch(
    isService ? 'production' : 'all',
    file,
    [...first, ...args],
    isService ? 'node bin/quantd.js' : undefined,
  )
}

/** The tests of ways to install and run the service. */
function tests(...names) {
  return ['scripts/test.ts', ...names.map((name) => `test/long/deploy/${name}`)]
}
