/** The writing steps of a master key rotation. A secret is replaced only if it is still the one that was read. */
import { sql as raw } from 'kysely'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { MASTER_KEY_CHECK } from '../secrets/master-keys.ts'
import type { Sealed } from '../secrets/vault.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import { SECRETS, type SecretCount, type SecretKind, secretCounts } from './sealed-secrets.ts'

export interface RewrappedSecret {
  readonly id: number | string
  readonly from: Sealed
  readonly to: Sealed
  /** For an API key: its lookup hash under the new master key. */
  readonly hash: Uint8Array | null
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
  const list = secrets.map(({ from, hash, id, to }) => {
    const [was, is, lookup] = [from.sealed, to.sealed, hash].map((bytes) => typed(bytes, 'bytea'))
    return raw`(${typed(id, idType)}, ${was}, ${is}, ${to.masterKeyId}, ${lookup})`
  })
  const hash = kind === 'api_key' ? raw`, hash = replacements.lookup` : raw``
  return raw<{ id: number | string }>`
    with replacements (id, was, now, under, lookup) as (values ${raw.join(list)})
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
