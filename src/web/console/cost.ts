/** The credits that a call may cost, shown before it is sent. */
import type { Form } from '../../derive/forms.ts'
import type { SentTable } from './data/shapes.ts'
import forms from './forms.js'
import { plural, whole } from './numbers.ts'
import { creditsFor } from './offers.ts'
import type { Values } from './operation.ts'

export interface Cost {
  readonly most: number
  /** The name of the parts that are charged one by one; null: there are none. */
  readonly each: string | null
  /** Whether it is charged for each started second of computing. */
  readonly isPerSecond?: boolean
}

/** Null: the cost does not follow from the input. An operation of scalars, which has columns, takes less than a second. */
export function costOf(form: Form, shown: SentTable | null, sent: Values = {}): Cost | null {
  const base = creditsFor(form.path.replace(/\/columns$/, ''))
  if (form.path.endsWith('/columns')) return shown === null ? null : { most: base * shown.rows, each: 'row' }
  if (!form.path.endsWith('/batch'))
    return { most: base, each: null, isPerSecond: !forms.some(({ path }) => path === `${form.path}/columns`) }
  if (!Array.isArray(sent.calls)) return null
  return { most: sent.calls.reduce((sum: number, call) => sum + creditsFor(call?.path), 0), each: 'call' }
}

/** `credits`: the balance, or null if it is not known. */
export function costText({ most, each, isPerSecond }: Cost, credits: number | null): string {
  const cost =
    each === null
      ? `${plural(most, 'credit')}${isPerSecond ? ' for each started second of computing' : ''}`
      : `up to ${plural(most, 'credit')}; failed ${each}s are free`
  if (credits === null) return `Costs ${cost}.`
  if (most <= credits) return `Costs ${cost}. ${whole(credits)} left.`
  return `Costs ${cost}. Only ${whole(credits)} left.`
}
