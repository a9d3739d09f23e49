/**
 * The secrets of the database and the master keys that encrypt them: read and replaced by a rotation, and only if still the ones that
 * were read.
 */
import { sql as raw } from 'kysely'
import { SIGNING_PURPOSE } from '../ledger/receipts/signing-keys.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { API_KEY_PURPOSE, type ShownCharacters, TEAM_HASH_PURPOSE } from '../secrets/keys.ts'
import { MASTER_KEY_CHECK } from '../secrets/master-keys.ts'
import type { Sealed, SealPurpose } from '../secrets/vault.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'

/** @param owner the columns that a secret is bound to: `s.` is its own row, `a.` that of its account */
const secretsIn = (
  table:
    | 'accounts'
    | 'api_keys'
    | 'hash_keys'
    | 'mails'
    | 'recovery_codes'
    | 'signing_keys'
    | 'webhook_endpoints',
  purpose: SealPurpose,
  ...owner: readonly string[]
) => {
  const prefix = table === 'accounts' ? 'totp_' : ''
  return { table, purpose, owner, sealed: `${prefix}sealed`, key: `${prefix}master_key_id` }
}

/** The kinds of sealed secrets. */
export const SECRETS = {
  api_key: secretsIn('api_keys', API_KEY_PURPOSE, 's.uid', 'a.uid'),
  totp_secret: secretsIn('accounts', 'totp secret', 's.uid'),
  recovery_code: secretsIn('recovery_codes', 'recovery code', 'a.uid'),
  mail: secretsIn('mails', 'mail', 's.id', 's.recipient'),
  webhook: secretsIn('webhook_endpoints', 'webhook', 's.uid'),
  team_key_hash: secretsIn('hash_keys', TEAM_HASH_PURPOSE),
  signing_key: secretsIn('signing_keys', SIGNING_PURPOSE, 's.uid'),
}

export type SecretKind = keyof typeof SECRETS

export const SECRET_KINDS = Object.keys(SECRETS) as SecretKind[]

/** A secret and the values that it is bound to: the uids of key and account, the account's uid, or a mail's id and recipient. */
export interface KeptSecret extends Sealed {
  readonly id: number | string
  readonly owner: readonly string[]
}

/** The number of secrets of a kind under a master key. */
export interface SecretCount {
  readonly kind: SecretKind
  readonly masterKeyId: string
  readonly count: number
}

/** Mailed codes under older master keys that are still valid; they are hashes and cannot be re-wrapped. */
export interface OlderCodes {
  readonly count: number
  /** The time at which the last of them expires. */
  readonly until: number
}

interface Page {
  readonly kind: SecretKind
  readonly currentId: string
  readonly after: number | string | null
  readonly limit: number
}

/** Secrets that are not under the current master key, in the order of their ids. */
export function* secretsPage(
  { db }: Sql,
  { after, currentId, kind, limit }: Page,
): Transaction<KeptSecret[]> {
  const { key, owner, sealed, table } = SECRETS[kind]
  const masterKeyId = raw.ref<string>(`s.${key}`)
  const secret = raw.ref<Uint8Array>(`s.${sealed}`)
  const found = yield* rows(
    db
      .selectFrom(`${table} as s` as 'recovery_codes as s')
      .$if(
        owner.some((column) => column.startsWith('a.')),
        (own) => own.innerJoin('accounts as a', 'a.id', 's.account_id'),
      )
      .select(['s.id', masterKeyId.as('masterKeyId'), secret.as('sealed')])
      .select(owner.map((column, index) => raw.ref<string>(column).as(`owner ${index}`)))
      .where(raw.ref<number | string>('s.id'), '>', after ?? (kind === 'mail' ? '' : 0))
      .where(secret, 'is not', null)
      // Team keys are in the table of keys and hold no secret.
      .where(masterKeyId, 'not in', ['', currentId])
      .orderBy('s.id')
      .limit(limit),
  )
  return found.map(({ id, masterKeyId, sealed, ...bound }) => ({
    id,
    masterKeyId,
    sealed,
    owner: Object.values<string>(bound),
  }))
}

const count = raw<number>`cast(count(*) as bigint)`.as('count')

export function* secretCounts({ db }: Sql): Transaction<SecretCount[]> {
  const counted: SecretCount[] = []
  for (const kind of SECRET_KINDS) {
    const { key, sealed, table } = SECRETS[kind]
    const found = yield* rows(
      db
        .selectFrom(table as 'api_keys')
        .select([raw.ref<string>(key).as('masterKeyId'), count])
        .where(raw.ref(sealed), 'is not', null)
        .where(raw.ref(key), '<>', '')
        .groupBy(raw.ref(key)),
    )
    counted.push(...found.map((row) => ({ kind, ...row })))
  }
  return counted
}

/** Null: there are none. Codes whose attempts are used up count until they expire. */
export function* olderCodes(sql: Sql, currentId: string): Transaction<OlderCodes | null> {
  const now = yield* sql.clock()
  const latest = raw<number | null>`cast(max(code_expires_at) as bigint)`.as('latest')
  const codes = { count: 0, until: 0 }
  for (const table of ['registrations', 'password_resets']) {
    const older = sql.db
      .selectFrom(table as 'registrations')
      .where('code_expires_at', '>', now)
      .where('code_master_key_id', '<>', currentId)
    const found = (yield* first(older.select([count, latest])))!
    codes.count += found.count
    codes.until = Math.max(codes.until, found.latest ?? 0)
  }
  return codes.count === 0 ? null : codes
}

export interface RewrappedSecret {
  readonly id: number | string
  readonly from: Sealed
  readonly to: Sealed
  /** For an API key: its lookup hash under the new master key, and the characters that are shown. */
  readonly key: (ShownCharacters & { readonly hash: Uint8Array }) | null
}

/** Replaces secrets by their re-wrapped form; returns the number of those that had not changed since they were read. */
export function* rewrap(
  sql: Sql,
  kind: SecretKind,
  secrets: readonly RewrappedSecret[],
): Transaction<number> {
  // Every writer of account rows locks them in the same order.
  if (kind === 'totp_secret') yield* sql.lock(secrets.map(({ id }) => id as number))
  const replacement = replacementOf(sql, kind, secrets)
  return (yield* rows({ compile: () => replacement.compile(sql.db) })).length
}

/** The statement that replaces all of them: a round trip for each row would keep the rows locked for long. */
function replacementOf({ dialect }: Sql, kind: SecretKind, secrets: readonly RewrappedSecret[]) {
  const location = SECRETS[kind]
  const [table, sealed, key] = [location.table, location.sealed, location.key].map((name) => raw.ref(name))
  // PostgreSQL treats a value in a list as text unless it is cast; SQLite has no such types.
  const typed = (value: unknown, type: string) =>
    dialect === 'postgres' ? raw`cast(${value} as ${raw.raw(type)})` : raw`${value}`
  const idType = kind === 'mail' ? 'text' : 'bigint'
  const list = secrets.map(({ from, id, key, to }) => {
    const [was, is, lookup] = [from.sealed, to.sealed, key?.hash ?? null].map((bytes) =>
      typed(bytes, 'bytea'),
    )
    const [start, end] = [key?.prefix ?? null, key?.last4 ?? null].map((text) => typed(text, 'text'))
    return raw`(${typed(id, idType)}, ${was}, ${is}, ${to.masterKeyId}, ${lookup}, ${start}, ${end})`
  })
  // A key of version 0.1.0 has no shown characters yet.
  const shown = raw`prefix = replacements.prefix, last4 = replacements.last4`
  const hash = kind === 'api_key' ? raw`, hash = replacements.lookup, ${shown}` : raw``
  return raw<{ id: number | string }>`
    with replacements (id, was, now, under, lookup, prefix, last4) as (values ${raw.join(list)})
    update ${table} set ${sealed} = replacements.now, ${key} = replacements.under${hash} from replacements
    where ${raw.table(location.table)}.id = replacements.id and ${sealed} = replacements.was
    returning ${raw.table(location.table)}.id`
}

/**
 * Invalidates the mailed codes under other master keys; returns the number of those that were valid. The registrations stay,
 * because a new code can be sent for them.
 */
export function* dropCodes(sql: Sql, currentId: string): Transaction<number> {
  const now = yield* sql.clock()
  let dropped = 0
  for (const table of ['registrations', 'password_resets'] as const) {
    const ended = yield* rows(
      sql.db
        .updateTable(table)
        .set({ code_expires_at: now })
        .where('code_master_key_id', '<>', currentId)
        .where('code_expires_at', '>', now)
        .returning('uid'),
    )
    dropped += ended.length
  }
  return dropped
}

/** Stores the fingerprint of the new master key once no secret is under another one. Returns the counts of those that still are. */
export function* finishRotation(
  sql: Sql,
  {
    currentId,
    event,
    fingerprint,
  }: { readonly currentId: string; readonly fingerprint: string; readonly event: AdminEvent },
): Transaction<SecretCount[]> {
  const counts = yield* secretCounts(sql)
  const left = counts.filter(({ masterKeyId }) => masterKeyId !== currentId)
  if (left.length > 0) return left
  const check = sql.db.selectFrom('facts').select('value').where('name', '=', MASTER_KEY_CHECK)
  const stored = yield* first(check)
  const from = stored?.value.split('.')[0] ?? null
  if (from === currentId) return []
  yield* rows(sql.db.updateTable('facts').set({ value: fingerprint }).where('name', '=', MASTER_KEY_CHECK))
  yield* writeAdminEvent(sql, event, 'master_key_rotated', { facts: { from, to: currentId } })
  return []
}
