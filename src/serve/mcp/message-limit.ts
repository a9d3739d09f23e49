/** The limit on messages that compute nothing: they count in the minute window of requests to account endpoints. */
import { minuteUsedUp, Refused } from '../../ledger/metering/refused.ts'
import type { Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import { admit } from '../pipeline/admit.ts'
import { accountCallOf } from '../pipeline/receive.ts'

/** At this number all keys are forgotten: their next messages are read before they are refused. */
const MAX_KEYS = 10_000

export function messageLimit({ meter }: Pick<Pipeline, 'meter'>) {
  /** When the window ends that a key has used up, by performance.now(). Team keys have a lower limit than their account. */
  const usedUpUntil = new Map<number, number>()
  return {
    /** Refuses a message that cannot compute, as long as the window is known to be used up. Throws Refused. */
    check({ accountId, keyId, team }: Caller, mayCompute: () => boolean): void {
      const leftMs = (usedUpUntil.get(keyId) ?? 0) - performance.now()
      if (leftMs <= 0 || mayCompute()) return
      const failure = minuteUsedUp('account_requests', team?.id ?? null, Math.ceil(leftMs / 1_000))
      throw new Refused(failure, null, accountId)
    },
    /** Counts a message in the ledger, without a row of the audit. Throws Refused. */
    async count(incoming: Incoming, caller: Caller): Promise<void> {
      const { keyId } = caller
      try {
        await admit(meter, accountCallOf(incoming, caller))
      } catch (error) {
        const seconds = error instanceof Refused ? (error.failure.retryAfterSeconds ?? 0) : 0
        if (usedUpUntil.size >= MAX_KEYS) usedUpUntil.clear()
        if (seconds > 0) usedUpUntil.set(keyId, performance.now() + 1_000 * seconds)
        throw error
      }
      usedUpUntil.delete(keyId)
    },
  }
}

/** Whether a message may call a tool, as far as its headers show; the older revision does not name the method there. */
export const mayCallTool = ({ headers }: Incoming): boolean =>
  (headers['mcp-method'] ?? TOOL_CALL) === TOOL_CALL

/** Whether a message that was not parsed may call a tool. Some printers of JSON escape the slash, none the letters. */
export const hasToolCall = (bytes: Buffer): boolean =>
  bytes.includes(TOOL_CALL) || bytes.includes(TOOL_CALL.replace('/', '\\/'))

const TOOL_CALL = 'tools/call'
