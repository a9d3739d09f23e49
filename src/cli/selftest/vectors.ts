/** The reference vectors, and which operation answers which file. */
import { readFileSync } from 'node:fs'

export interface Case {
  readonly name: string
  readonly family?: string
  readonly input: Record<string, unknown>
  readonly expected: Record<string, unknown>
  /** More digits than a double holds: of the file's one result, or by field. */
  readonly exact?: string | Record<string, string>
  readonly rel_tol: number
  readonly abs_tol: number
  /** Derivatives: the exact finite difference, besides the true derivative. */
  readonly fd_exact?: number
  readonly fd_abs_tol?: number
  /** Isolation forest: the label of each row, and what scikit-learn reaches against it. */
  readonly anomaly?: number[]
  readonly sklearn_auroc_mean?: number
}

export interface VectorFile {
  readonly name: string
  readonly path: string
  /** The field that `exact` is about, where it is one text. */
  readonly result: string
}

export const vectorFiles: readonly VectorFile[] = [
  { name: 'variance_gamma', path: '/quantlib/models/variance-gamma/price', result: 'vg_call_price' },
  { name: 'variance_gamma_wide', path: '/quantlib/models/variance-gamma/price', result: 'vg_call_price' },
  { name: 'black_scholes', path: '/quantlib/pricing/bs/price', result: 'price' },
  { name: 'derivative', path: '/quantlib/numerical/differentiation/derivative', result: 'derivative' },
  { name: 'discrimination', path: '/quantlib/ml/credit/discrimination', result: 'auc_roc' },
  { name: 'migration', path: '/quantlib/ml/credit/migration', result: 'multi_period_matrix' },
  { name: 'outliers', path: '/quantlib/ml/preprocessing/outliers', result: 'outliers' },
  { name: 'isolation_forest', path: '/quantlib/ml/clustering/isolation-forest', result: 'anomaly_scores' },
  { name: 'log_utility', path: '/quantlib/economics/utility/log', result: 'utility' },
  { name: 'shannon', path: '/quantlib/physics/entropy/shannon', result: 'shannon_entropy' },
]

export function casesOf(file: VectorFile): Case[] {
  const url = new URL(`../../../test/fixtures/${file.name}.json`, import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as { cases: Case[] }).cases
}
