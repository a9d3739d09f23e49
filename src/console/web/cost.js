/** The credits that a call may cost, said before it is made. */
import { plural, whole } from './numbers.js'
import { creditsFor } from './offers.js'

/** `{ most, each }`, where `each` names what is charged one by one; null where the input does not tell. */
export function costOf(form, shown, sent = {}) {
  const base = creditsFor(form.path.replace(/\/columns$/, ''))
  if (form.path.endsWith('/columns')) return shown === null ? null : { most: base * shown.rows, each: 'row' }
  if (!form.path.endsWith('/batch')) return { most: base, each: null }
  if (!Array.isArray(sent.calls)) return null
  return { most: sent.calls.reduce((sum, call) => sum + creditsFor(call?.path), 0), each: 'call' }
}

/** `credits`: left, or null where this is not known. */
export function costText({ most, each }, credits) {
  const cost =
    each === null ? plural(most, 'credit') : `up to ${plural(most, 'credit')}; failed ${each}s are free`
  if (credits === null) return `Costs ${cost}.`
  if (most <= credits) return `Costs ${cost}. ${whole(credits)} left.`
  return `Costs ${cost}. Only ${whole(credits)} left.`
}
