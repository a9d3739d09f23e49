/** Isolation forest fit: the scores of the rows that it is fitted to, by the forest that is kept. */
import { html } from '../html.js'
import { models } from '../kernels/models.js'
import { Picture as Forest, sample as rows } from './ml-clustering-isolation-forest.js'

export { headline, isLong, table } from './ml-clustering-isolation-forest.js'
export const { preview, model, resultOf } = models.mlClusteringIsolationForestFit
/** The reply has no scores; those of the picture are computed from its model. */
export const byRow = false
export const sample = { ...rows, n_trees: 50 }

export const Picture = (given) => html`<${Forest} ...${given} scores=${given.model.scores} />`
