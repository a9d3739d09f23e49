/**
 * The deletion of an account, given the password and, if it is on, the second factor; and the erasure of its person. The rows of the
 * account, its movements and its calls stay under its number, so that the ledger adds up. What identifies the person is erased: names
 * at once, and in pieces the records that grow with use.
 */
import { type RawBuilder, sql as raw } from 'kysely'
import { passwordChanged } from '../base/errors/accounts.ts'
import { CLOCK_DIFFERENCE_MS, ENDING_CALLS_MS } from '../base/limits/operation.ts'
import { MINUTE_MS } from '../base/time.ts'
import { Type } from '../base/type.ts'
import { addressDigest } from '../ledger/proofs/group.ts'
import { auditParts, COMPUTATION, type Piece, piecesOf } from '../ledger/store/audit.ts'
import { ACT_METHODS } from '../ledger/store/audit-pages.ts'
import { awaitLock, CHECKPOINT_LOCK } from '../ledger/store/locks.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { registeredAccount } from './account.ts'
import { type AccountChange, accountEndpoint, confirmChange, eventOf } from './account-endpoint.ts'
import { lockAddress } from './address.ts'
import { checkPassword } from './attempts.ts'
import { mfaCode, notice, password } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { writeMovement } from './open-account.ts'
import { checkSecondFactor } from './second-factor.ts'
import { withGuests } from './usage-pages.ts'

const DELETED = 'The account was deleted.'

export const deleteAccount = accountEndpoint({
  path: '/user/delete',
  area: 'Accounts',
  title: 'Delete the account',
  summary:
    'Deletes the account at once and for good. Its keys are refused, its credits expire, and its address, names, devices, client addresses and secrets are erased. Its calls and movements of credits stay without its owner, so that the ledger adds up. The password is required and, if the second factor is on, `mfa_code`.',
  key: 'registered',
  input: Type.Object({ password, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ message: notice }),
  failures: [
    'invalid_credentials',
    'mfa_required',
    'mfa_invalid',
    'conflict',
    'too_many_attempts',
    'overloaded',
  ],
  example: { input: { password: 'correct horse battery staple' }, output: { message: DELETED } },
  async handle(context, { caller, input, origin }) {
    const { address } = await registeredAccount(context, caller.accountId)
    const account = await checkPassword(context, address, input.password, origin.subject)
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const { accountId, passwordHash } = account
    const mail = newMail(context, account.email, noticeMail('accountDeleted', account))
    const event = { ...eventOf(origin), ip: '' }
    if (!(await context.store.run(deleteOwn, { accountId, passwordHash, event, mail })))
      throw passwordChanged()
    context.wakeSender()
    await eraseRemains(context.store, accountId)
    return { message: DELETED }
  },
})

/** Deletes the account if its password has this hash, and confirms it by mail. False: the account has another password by now. */
export function* deleteOwn(
  sql: Sql,
  change: AccountChange & { readonly passwordHash: string },
): Transaction<boolean> {
  if ((yield* eraseAccount(sql, change)) === null) return false
  yield* confirmChange(sql, change, 'account_deleted')
  return true
}

/** The most rows that a transaction changes, so that others do not wait long. */
const PIECE = 5_000
const MOST = raw.lit(PIECE)
/** The most rows of the audit: a statement has a parameter for each. */
const ROWS = 2_000
/** The most transactions that the deletion of an account waits for; the clean-up runs the others. */
const AT_ONCE = 50

/**
 * Erases the person of an account, and of the guests it took over: addresses, names, secrets and waiting mails. The keys are
 * refused from now on, and the credits expire. Returns the number of these credits; null: there is no such account. To be
 * followed by `eraseRemains`.
 * @param passwordHash if given, the account is erased only if its password has this hash
 */
export function* eraseAccount(
  sql: Sql,
  { accountId, passwordHash }: { readonly accountId: number; readonly passwordHash?: string },
): Transaction<number | null> {
  const { db } = sql
  const query = db.selectFrom('accounts').select(['address', 'email', 'balance']).where('id', '=', accountId)
  const present = query
    .where('deleted_at', 'is', null)
    .$if(passwordHash !== undefined, (own) => own.where('password_hash', '=', passwordHash!))
  const address = (yield* first(present))?.address ?? null
  if (address !== null) yield* lockAddress(sql, address)
  const ids = yield* withGuests(sql, accountId)
  yield* sql.lock(ids)
  const account = yield* first(present)
  if (account === undefined) return null
  sql.erases()
  const now = yield* sql.clock()
  for (const id of ids) yield* eraseRow(sql, id, now)
  if (address !== null) {
    yield* sql.addresses.remove(address)
    yield* rows(db.deleteFrom('registrations').where('address', '=', address))
    const recipients = [address, account.email ?? address]
    yield* rows(db.deleteFrom('mails').where('recipient', 'in', recipients))
  }
  return account.balance
}

function* eraseRow(sql: Sql, id: number, now: number): Transaction<void> {
  const { db } = sql
  const row = yield* first(db.selectFrom('accounts').select(['balance', 'created_at']).where('id', '=', id))
  const { balance = 0, created_at = now } = row ?? {}
  if (balance > 0)
    yield* writeMovement(
      sql,
      { accountId: id, kind: 'expired', amount: -balance, note: 'account_deleted' },
      now,
    )
  yield* rows(
    db
      .updateTable('accounts')
      .set({
        address: null,
        email: null,
        username: null,
        full_name: null,
        password_hash: null,
        sign_on: null,
        totp_sealed: null,
        totp_master_key_id: null,
        totp_enabled_at: null,
        totp_last_step: null,
        device_id: null,
        device_name: null,
        platform: null,
        balance: 0,
        lots_expire_at: null,
        deleted_at: now,
        erased_until: created_at - CLOCK_DIFFERENCE_MS,
      })
      .where('id', '=', id),
  )
  yield* rows(
    db
      .updateTable('lots')
      .set((lot) => ({ remaining: 0, expired: lot('expired', '+', lot.ref('remaining')) }))
      .where('account_id', '=', id)
      .where('remaining', '>', 0),
  )
  const keys = db
    .updateTable('api_keys')
    .set({ status: 'revoked', ends_at: now })
    .where('account_id', '=', id)
  yield* rows(keys.where('status', '<>', 'revoked'))
  yield* rows(db.updateTable('team_keys').set({ name: '' }).where('account_id', '=', id))
  yield* rows(
    db
      .updateTable('ledger')
      .set({ note: null })
      .where('account_id', '=', id)
      .where('kind', '=', 'grant')
      .where('note', 'not in', OWN_NOTES),
  )
  yield* rows(db.deleteFrom('approvals').where('account_id', '=', id).where('state', '=', 'waiting'))
  yield* rows(db.updateTable('approvals').set({ input: '{}' }).where('account_id', '=', id))
  yield* rows(db.deleteFrom('password_resets').where('account_id', '=', id))
  yield* rows(db.deleteFrom('recovery_codes').where('account_id', '=', id))
  yield* rows(db.deleteFrom('notices').where('account_id', '=', id))
}

/** The notes that the service itself gives to grants; others are written by operators, and may name a person. */
const OWN_NOTES = ['verification', 'guest_creation', 'account_creation', 'granted_by_administrator']

/** Erases records of a deleted account and its guests, or (null) of all deleted accounts; the clean-up erases the rest. */
export async function eraseRemains(store: Runner, accountId: number | null): Promise<void> {
  for (let count = 0; count < AT_ONCE; count++) if (!(await store.run(eraseMore, accountId))) return
}

/** Erases a piece of the records of a deleted account. False: nothing can be erased now. */
export function* eraseMore(sql: Sql, accountId: number | null): Transaction<boolean> {
  // A checkpoint computes proofs from the client addresses that this erases.
  yield* awaitLock(sql, CHECKPOINT_LOCK)
  const now = yield* sql.clock()
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .select(['id', 'deleted_at as deletedAt', 'erased_until as erasedUntil'])
      .where('erased_until', 'is not', null)
      .where((where) =>
        where.or([
          where('erased_until', '<', where.ref('deleted_at')),
          where('deleted_at', '<=', now - ENDING_CALLS_MS),
        ]),
      )
      .$if(accountId !== null, (one) =>
        one.where((where) => where.or([where('id', '=', accountId), where('linked_to', '=', accountId)])),
      )
      .limit(1),
  )
  if (account === undefined) return false
  sql.erases()
  const { id } = account
  for (const remains of REMAINS) if ((yield remains(sql, id).compile(sql.db)).length === PIECE) return true
  const [deletedAt, erasedUntil] = [account.deletedAt!, account.erasedUntil!]
  const isFirst = erasedUntil < deletedAt
  const reached = isFirst
    ? yield* erasePiece(sql, id, { from: erasedUntil, to: deletedAt })
    : // Calls that ran when the account was deleted have written their rows since.
      yield* eraseAddresses(sql, id, { from: deletedAt - MINUTE_MS, to: now + 1 })
  // Without the salt nobody can try which addresses the digests are of.
  if (!isFirst) yield* rows(sql.db.deleteFrom('audit_salts').where('account_id', '=', id))
  const set = sql.db.updateTable('accounts').set({ erased_until: isFirst ? reached : null })
  yield* rows(set.where('id', '=', id))
  return true
}

/**
 * The records that grow with the use of an account, besides the audit: each statement erases at most a piece and returns its
 * rows.
 */
const REMAINS: readonly ((sql: Sql, id: number) => RawBuilder<unknown>)[] = [
  (_, id) => raw`DELETE FROM bindings WHERE account_id = ${id} AND idempotency_key IN
    (SELECT idempotency_key FROM bindings WHERE account_id = ${id} LIMIT ${MOST}) RETURNING 1 AS one`,
  // The hashes by which a key is found; the row stays, because calls and team keys are counted by it.
  (sql, id) => raw`UPDATE api_keys SET hash = CAST(uid AS ${bytes(sql)}),
      sealed = ${new Uint8Array()}, master_key_id = '', prefix = NULL, last4 = ''
    WHERE account_id = ${id} AND id IN (SELECT id FROM api_keys
      WHERE account_id = ${id} AND last4 IS DISTINCT FROM '' LIMIT ${MOST}) RETURNING 1 AS one`,
  (_, id) => raw`DELETE FROM refusals WHERE account_id = ${id} AND (key_id, ip, code, minute) IN
    (SELECT r.key_id, r.ip, r.code, r.minute FROM refusals r JOIN api_keys k ON k.id = r.key_id
      WHERE k.account_id = ${id} AND r.account_id = ${id} LIMIT ${MOST}) RETURNING 1 AS one`,
  (_, id) => raw`DELETE FROM failed_attempts WHERE account_id = ${id} AND (minute, subject, ip, path, code) IN
    (SELECT minute, subject, ip, path, code FROM failed_attempts WHERE account_id = ${id} LIMIT ${MOST}) RETURNING 1 AS one`,
  // Names of team keys.
  (
    { dialect },
    id,
  ) => raw`UPDATE webhook_events SET data = ${dialect === 'postgres' ? raw`jsonb_set(data::jsonb, '{name}', '""')::text` : raw`json_set(data, '$.name', '')`}
    WHERE account_id = ${id} AND id IN (SELECT id FROM webhook_events WHERE account_id = ${id} AND data LIKE '%"name":%'
      AND data NOT LIKE '%"name":""%' AND data NOT LIKE '%"name": ""%' LIMIT ${MOST}) RETURNING 1 AS one`,
]

/** Erases the client addresses of the first rows in a range; returns the time up to which they are erased. */
function* erasePiece(sql: Sql, id: number, range: Piece): Transaction<number> {
  // With partitions, the first day of the range: a statement over all days would lock and plan hundreds of tables.
  const [{ from, to } = range] = piecesOf(yield* auditParts(sql), range)
  let end = to
  for (const kind of KINDS) {
    const ofKind = sql.db.selectFrom('audit').select('at').where('account_id', '=', id).where(kind)
    const beyond = ofKind.where('at', '>=', from).where('at', '<', to).orderBy('at')
    end = Math.min(end, (yield* first(beyond.offset(ROWS).limit(1)))?.at ?? to)
  }
  // Rows of one millisecond are erased together.
  return yield* eraseAddresses(sql, id, { from, to: Math.max(end, from + 1) })
}

/** Conditions on rows; for each there is an index by account and time. */
const KINDS = [raw<boolean>`kind = ${COMPUTATION}`, raw<boolean>`kind <> ${COMPUTATION}`]

/**
 * Erases the client addresses of an account's audit rows, but not those of operators' acts. The proof of a row holds without its
 * address: the digest takes the place of its salt. Returns the end of the range.
 */
function* eraseAddresses(sql: Sql, id: number, { from, to }: Piece): Transaction<number> {
  const ofAccount = sql.db.selectFrom('audit_salts').select('salt').where('account_id', '=', id)
  const salt = (yield* first(ofAccount))?.salt ?? null
  for (const kind of KINDS) {
    const own = raw`account_id = ${id} AND ${kind} AND at >= ${from} AND at < ${to} AND (ip <> '' OR address IS NULL) AND method NOT IN ${ACT_METHODS}`
    const pairs =
      yield raw`SELECT DISTINCT ip, address, stream IS NULL AS unproven FROM audit WHERE ${own}`.compile(
        sql.db,
      )
    for (let start = 0; start < pairs.length; start += ROWS)
      yield replaced(sql, own, salt, pairs.slice(start, start + ROWS) as unknown as Pair[]).compile(sql.db)
  }
  return to
}

interface Pair {
  readonly ip: string
  /** The salt of the row; null: it is that of the account. */
  readonly address: Uint8Array | null
  /** Whether the row has no proof, and therefore no salt. */
  readonly unproven: boolean | number
}

function replaced(
  sql: Sql,
  own: RawBuilder<unknown>,
  ofAccount: Uint8Array | null,
  pairs: readonly Pair[],
): RawBuilder<unknown> {
  const type = bytes(sql)
  const digests = pairs.map(({ address, ip, unproven }) => {
    const salt = unproven ? null : (address ?? ofAccount)
    const left = salt && Buffer.from(addressDigest(Buffer.from(salt).toString('hex'), ip), 'hex')
    return raw`(${ip}, CAST(${address} AS ${type}), CAST(${left} AS ${type}), ${Number(unproven)})`
  })
  return raw`WITH replacements (ip, salt, left_over, unproven) AS (VALUES ${raw.join(digests)})
    UPDATE audit SET ip = '', address = (SELECT left_over FROM replacements
      WHERE replacements.ip = audit.ip AND replacements.salt IS NOT DISTINCT FROM audit.address
        AND (CAST(replacements.unproven AS INTEGER) = 1) = (audit.stream IS NULL))
    WHERE ${own} AND ip IN (SELECT ip FROM replacements)`
}

const bytes = ({ dialect }: Sql) => raw.raw(dialect === 'postgres' ? 'bytea' : 'blob')
