/** The plan in force on this node: one frozen value, replaced when the database has a newer version. */

import { PLAN_READ_MS } from '../../base/limits/operation.ts'
import { type Plan, planWith } from '../../ledger/rules/plan.ts'
import type { Runner } from '../../ledger/store/store.ts'
import { NO_VERSION, newestPlan, type PlanVersion } from '../../operators/plans.ts'
import type { Logger } from '../log.ts'

export interface PlanInForce {
  /** The plan in force. A request reads it once, so that it is charged the cost with which it was admitted. */
  current(): Plan
  /** Reads the newest version. */
  read(store: Runner): Promise<PlanVersion>
}

export function planInForce(settings: Plan): PlanInForce {
  let version = NO_VERSION
  let plan = settings
  return {
    current: () => plan,
    async read(store) {
      const newest = await store.run(newestPlan)
      if (newest.version > version.version) {
        version = newest
        plan = planWith(settings, newest.set)
      }
      return version
    },
  }
}

/** A value that is derived from the plan, and derived again after the plan has changed. */
export function ofPlan<Value>({ current }: PlanInForce, make: (plan: Plan) => Value): () => Value {
  let made = { plan: current(), value: make(current()) }
  return () => {
    const plan = current()
    if (made.plan !== plan) made = { plan, value: make(plan) }
    return made.value
  }
}

/** Reads the plan at intervals; returns the function that stops it. Without a database the last plan stays in force. */
export function followPlan(plan: PlanInForce, store: Runner, log: Pick<Logger, 'info' | 'warn'>): () => void {
  let seen: number | null = null
  let isReading = false
  let hasFailed = false
  const read = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    try {
      const { actor, version } = await plan.read(store)
      if (seen !== null && version !== seen) log.info({ version, actor }, 'the plan has changed')
      seen = version
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.warn({ err }, 'the plan was not read; the last one stays in force')
      hasFailed = true
    } finally {
      isReading = false
    }
  }
  void read()
  const timer = setInterval(read, PLAN_READ_MS)
  return () => clearInterval(timer)
}
