/** The checked-in files that are made from the declarations, the kept measurements and the vectors. */
import { readFileSync } from 'node:fs'
import { withFigures } from '../bench/figures.ts'
import { reportFiles } from '../bench/report.ts'
import { selftest } from '../src/app/cli/selftest.ts'
import { openapi, openapiText } from '../src/derive/openapi.ts'
import { operatorActs, sources } from '../src/derive/sources.ts'
import { keptRows } from '../test/numerics/sweep/results.ts'
import { accuracyPage } from './generators/accuracy-page.ts'
import { alertRules } from './generators/alert-rules.ts'
import { clientEndpoints, clientFailureCodes, clientTypes } from './generators/client-types.ts'
import { withEndpointTable } from './generators/endpoint-table.ts'
import { operatorClient, pythonOperator } from './generators/operator-client.ts'
import { pythonCalls } from './generators/python-calls.ts'
import { pythonComputations, pythonCoroutines } from './generators/python-client.ts'
import { pythonFailures, pythonRecords, pythonVersion } from './generators/python-records.ts'

const README = new URL('../README.md', import.meta.url)
const rows = selftest()

/** The reference cases that are out of their tolerance. */
export const faults: readonly string[] = rows.flatMap(({ failures, file }) =>
  failures.map((failure) => `${file}: the case ${failure} is out of tolerance`),
)

export const derivedFiles: readonly { readonly path: string; readonly text: string }[] = [
  { path: 'clients/typescript/operator-acts.ts', text: operatorClient(operatorActs) },
  { path: 'clients/python/quantd/operator_acts.py', text: pythonOperator(operatorActs) },
  { path: 'deploy/prometheus/alerts.yml', text: alertRules() },
  { path: 'openapi.json', text: openapiText(openapi(sources)) },
  { path: 'clients/typescript/types.ts', text: clientTypes(sources) },
  { path: 'clients/typescript/failure-codes.ts', text: clientFailureCodes(sources) },
  { path: 'clients/typescript/endpoints.ts', text: clientEndpoints(sources) },
  { path: 'clients/python/quantd/computations.py', text: pythonComputations(sources) },
  { path: 'clients/python/quantd/async_computations.pyi', text: pythonCoroutines(sources) },
  { path: 'clients/python/quantd/calls.py', text: pythonCalls(sources) },
  { path: 'clients/python/quantd/failures.py', text: pythonFailures(sources) },
  { path: 'clients/python/quantd/records.py', text: pythonRecords(sources) },
  { path: 'clients/python/quantd/version.py', text: pythonVersion(sources) },
  { path: 'README.md', text: withEndpointTable(withFigures(readFileSync(README, 'utf8')), sources) },
  { path: 'clients/python/LICENSE', text: readFileSync(new URL('../LICENSE', import.meta.url), 'utf8') },
  ...reportFiles(),
  { path: 'docs/accuracy.md', text: accuracyPage(rows, keptRows()) },
]
