/** An operation that has no picture of its own. */
import { labelOf } from '../labels.js'

export const preview = null
export const Picture = null

/** The numbers of the result. */
export const headline = (data) =>
  Object.entries(data)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => ({ name, label: labelOf(name), value }))
