/** The alert rules for Prometheus, made from the table of causes. */

import { MINUTE_MS } from '../../src/base/time.ts'
import { CAUSES, type Cause } from '../../src/operators/alerts/causes.ts'

/** deploy/prometheus/alerts.yml. */
export const alertRules = (): string =>
  [
    '# Alert rules for quantd, made from src/operators/alerts/causes.ts by npm run generate; do not edit.',
    '# Load them with rule_files in prometheus.yml; the job is expected to be named quantd.',
    '# Each runbook is a section of docs/operations.md, "Alerts".',
    'groups:\n  - name: quantd\n    rules:',
    ...CAUSES.map(ruleOf),
    '',
  ].join('\n')

function ruleOf({ comment, expr, forMs, name, runbook, severity, summary }: Cause): string {
  const minutes = forMs / MINUTE_MS
  return [
    `      - alert: ${name}`,
    ...(comment === undefined ? [] : [`        # ${comment}`]),
    `        expr: ${expr}`,
    ...(minutes === 0 ? [] : [`        for: ${minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`}`]),
    `        labels: { severity: ${severity} }`,
    '        annotations:',
    ...Object.entries({ summary, runbook }).map(([key, text]) => `          ${key}: ${quoted(text)}`),
  ].join('\n')
}

const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`)
