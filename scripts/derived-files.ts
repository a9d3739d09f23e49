/** The checked-in files that are made from the declarations, the kept measurements and the vectors. */
import { readFileSync } from 'node:fs'
import { withFigures } from '../bench/figures.ts'
import { reportFiles } from '../bench/report.ts'
import { selftest } from '../src/cli/selftest.ts'
import { operatorActs, sources } from '../src/derive/sources.ts'
import { keptRows } from '../test/numerics/sweep/results.ts'
import { accuracyPage } from './generators/accuracy-page.ts'
import { alertRules } from './generators/alert-rules.ts'
import { filesFrom } from './generators/declared-files.ts'
import { operatorClient, pythonOperator } from './generators/operator-client.ts'

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
  ...filesFrom(sources, withFigures(readFileSync(README, 'utf8'))),
  ...reportFiles(),
  { path: 'docs/accuracy.md', text: accuracyPage(rows, keptRows()) },
]
