/** The tool `quote`: checks a tool call, its cost and whether it would be admitted, without computing or counting it. */

import { keyForbidden } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import type { Computation } from '../../compute/computation.ts'
import { JSON_WIRE } from '../../compute/result.ts'
import { refused } from '../../ledger/metering/refused.ts'
import type { Standing } from '../../ledger/rules/types.ts'
import { callOf } from '../pipeline/receive.ts'
import { isForbidden } from '../pipeline/serve.ts'
import { request, type Session } from './session.ts'

/** Throws Failure `unavailable`. */
export async function quote(session: Session, computation: Computation, body: Buffer) {
  const { caller, pipeline } = session
  await pipeline.eventLoop.waitForShare(caller.accountId)
  const job = pipeline.eventLoop.run(caller.accountId, () =>
    computation.read(body, JSON_WIRE, caller.team?.paths),
  )
  const cost = job instanceof Failure ? computation.leastCost : job.cost
  const call = callOf({ incoming: request(session, 'POST', computation.path), caller }, cost)
  const verdict = await pipeline.meter.enter({ step: 'peek', call })
  const failure = isForbidden(computation, caller)
    ? keyForbidden()
    : verdict.ok
      ? null
      : refused(verdict, call).failure
  const reason = [failure, job instanceof Failure ? job : null].find((one) => one !== null)
  return {
    would_succeed: reason === undefined,
    cost: job instanceof Failure ? 0 : cost,
    ...(reason !== undefined && {
      reason: {
        code: reason.code,
        message: reason.message,
        details: reason.details,
        ...reason.numbers,
      },
    }),
    ...accountOf(verdict.standing),
  }
}

const accountOf = (standing: Standing | null) =>
  standing === null
    ? {}
    : {
        credits: standing.credits,
        windows: standing.windows.map(({ limit, name, remaining }) => ({ window: name, limit, remaining })),
      }
