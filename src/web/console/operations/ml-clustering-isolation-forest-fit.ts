/** Isolation forest fit: the scores of its rows by the fitted forest. */
import type { TableSpec } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import { table as forestTable, sample as rows } from './ml-clustering-isolation-forest.tsx'

export const lead = 'To fit a detector of unusual rows once, and to score later rows by it.'

export { headline, isLong, Picture } from './ml-clustering-isolation-forest.tsx'
export const table: TableSpec = { ...forestTable, names: 'columns' }
export const { preview, model, resultOf } = models.mlClusteringIsolationForestFit
/** Results are not shown by row, because the reply has no scores. */
export const byRow = false
export const sample = { ...rows, n_trees: 50 }
