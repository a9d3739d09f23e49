/** Writes failed logins, codes, resets and second factors into the audit and the log. */
import { sql as raw } from 'kysely'
import { Failure, type FailureCode } from '../base/failure.ts'
import { MINUTE_MS } from '../base/time.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { AccountRequest } from '../protocol/handler.ts'
import { addressOf, subjectOf } from './address.ts'
import type { AccountContext } from './context.ts'

/** Codes of failures by a client that could not prove its identity. */
const FAILED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid_credentials',
  'otp_invalid',
  'mfa_required',
  'mfa_invalid',
  'key_suspended',
  'too_many_attempts',
])

/**
 * Handles a request, and records it if it failed. With a key, the request has an audit row of its own. Without one, the
 * audit counts per address, client address, endpoint, code and minute, so that guessing cannot flood it; the log gets one
 * line for each such count, with no address in clear.
 */
export async function recordingFailures<Result>(
  context: AccountContext,
  request: AccountRequest,
  handle: () => Promise<Result>,
): Promise<Result> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Failure && FAILED.has(error.code)) await record(context, request, error.code)
    throw error
  }
}

async function record(
  { log, store, vault }: AccountContext,
  { caller, input, origin }: AccountRequest,
  code: FailureCode,
): Promise<void> {
  const { ip, path, requestId } = origin
  const facts = { code, path, ip, requestId }
  if (caller !== null) return log.info({ ...facts, accountId: caller.accountId }, 'failed attempt')
  const { email } = input as { email?: string }
  if (email === undefined) return
  const address = addressOf(email)
  const subject = subjectOf(vault, address)
  try {
    const { accountId, count } = await store.run(countFailedAttempt, { address, subject, ip, path, code })
    if (count === 1) log.info({ ...facts, accountId, subject }, 'failed attempt')
  } catch (error) {
    // An error here must not change the reply.
    log.warn({ ...facts, err: error }, 'a failed attempt was not recorded')
  }
}

interface FailedAttempt {
  readonly address: string
  /** The address's keyed hash, so that the audit does not show addresses that have no account. */
  readonly subject: string
  readonly ip: string
  readonly path: string
  readonly code: string
}

/** Counts a failed attempt; returns its account, if the address has one, and its count in this minute. */
export function* countFailedAttempt(
  sql: Sql,
  { address, code, ip, path, subject }: FailedAttempt,
): Transaction<{ accountId: number | null; count: number }> {
  const now = yield* sql.clock()
  const accountId = yield* sql.addresses.accountIdOf(address)
  const row = { subject, ip, path, code, minute: now - (now % MINUTE_MS), account_id: accountId, count: 1 }
  const counted = yield* first(
    sql.db
      .insertInto('failed_attempts')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['minute', 'subject', 'ip', 'path', 'code'])
          .doUpdateSet({ count: raw<number>`failed_attempts.count + 1` }),
      )
      .returning('count'),
  )
  return { accountId, count: counted!.count }
}
