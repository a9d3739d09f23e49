/** Which secrets are under which master key, read for a rotation. */
import { type ExpressionBuilder, sql as raw } from 'kysely'
import type { Sealed } from '../secrets/vault.ts'
import type { Schema } from '../store/schema.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'

/** The kinds of sealed secrets. */
export type SecretKind = 'api_key' | 'totp_secret' | 'recovery_code' | 'mail'

/** A secret and what it is bound to: the uids of key and account, the account's uid, or a mail's id and recipient. */
export interface KeptSecret extends Sealed {
  readonly id: number | string
  readonly owner: readonly string[]
}

/** How many secrets of a kind are under a master key. */
export interface SecretCount {
  readonly kind: SecretKind
  readonly masterKeyId: string
  readonly count: number
}

/** Mailed codes under one master key that are still valid; they are hashes and cannot be re-wrapped. */
export interface CodeCount {
  readonly masterKeyId: string
  readonly count: number
  /** When the last of them expires. */
  readonly lastsUntil: number
}

interface Page {
  readonly kind: SecretKind
  readonly currentId: string
  readonly after: number | string | null
  readonly limit: number
}

/** Secrets that are not under the current master key, in the order of their ids. */
export function* secretsPage(sql: Sql, page: Page): Transaction<KeptSecret[]> {
  switch (page.kind) {
    case 'api_key':
      return yield* keys(sql, page)
    case 'totp_secret':
      return yield* totpSecrets(sql, page)
    case 'recovery_code':
      return yield* recoveryCodes(sql, page)
    case 'mail':
      return yield* mails(sql, page)
  }
}

function* keys({ db }: Sql, { after, currentId, limit }: Page): Transaction<KeptSecret[]> {
  const found = yield* rows(
    db
      .selectFrom('api_keys as k')
      .innerJoin('accounts as a', 'a.id', 'k.account_id')
      .select(['k.id', 'k.sealed', 'k.master_key_id as masterKeyId', 'k.uid', 'a.uid as accountUid'])
      .where('k.id', '>', (after ?? 0) as number)
      .where('k.master_key_id', '<>', currentId)
      .orderBy('k.id')
      .limit(limit),
  )
  return found.map(({ accountUid, uid, ...secret }) => ({ ...secret, owner: [uid, accountUid] }))
}

function* totpSecrets({ db }: Sql, { after, currentId, limit }: Page): Transaction<KeptSecret[]> {
  const found = yield* rows(
    db
      .selectFrom('accounts')
      .select(['id', 'uid', 'totp_sealed', 'totp_master_key_id'])
      .where('id', '>', (after ?? 0) as number)
      .where('totp_sealed', 'is not', null)
      .where('totp_master_key_id', '<>', currentId)
      .orderBy('id')
      .limit(limit),
  )
  return found.map(({ id, totp_master_key_id, totp_sealed, uid }) => ({
    id,
    masterKeyId: totp_master_key_id!,
    sealed: totp_sealed!,
    owner: [uid],
  }))
}

function* recoveryCodes({ db }: Sql, { after, currentId, limit }: Page): Transaction<KeptSecret[]> {
  const found = yield* rows(
    db
      .selectFrom('recovery_codes as c')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .select(['c.id', 'c.sealed', 'c.master_key_id as masterKeyId', 'a.uid'])
      .where('c.id', '>', (after ?? 0) as number)
      .where('c.master_key_id', '<>', currentId)
      .orderBy('c.id')
      .limit(limit),
  )
  return found.map(({ uid, ...secret }) => ({ ...secret, owner: [uid] }))
}

function* mails({ db }: Sql, { after, currentId, limit }: Page): Transaction<KeptSecret[]> {
  const found = yield* rows(
    db
      .selectFrom('mails')
      .select(['id', 'sealed', 'master_key_id as masterKeyId', 'recipient'])
      .where('id', '>', (after ?? '') as string)
      .where('sealed', 'is not', null)
      .where('master_key_id', '<>', currentId)
      .orderBy('id')
      .limit(limit),
  )
  return found.map(({ recipient, sealed, ...mail }) => ({
    ...mail,
    sealed: sealed!,
    owner: [mail.id, recipient!],
  }))
}

const count = raw<number>`cast(count(*) as bigint)`.as('count')

export function* secretCounts({ db }: Sql): Transaction<SecretCount[]> {
  const counted: SecretCount[] = []
  const add = (kind: SecretKind, found: readonly Omit<SecretCount, 'kind'>[]) =>
    counted.push(...found.map((row) => ({ kind, ...row })))
  add(
    'api_key',
    yield* rows(
      db.selectFrom('api_keys').select(['master_key_id as masterKeyId', count]).groupBy('master_key_id'),
    ),
  )
  add(
    'totp_secret',
    yield* rows(
      db
        .selectFrom('accounts')
        .select(['totp_master_key_id as masterKeyId', count])
        .where('totp_sealed', 'is not', null)
        .groupBy('totp_master_key_id')
        .$narrowType<{ masterKeyId: string }>(),
    ),
  )
  add(
    'recovery_code',
    yield* rows(
      db
        .selectFrom('recovery_codes')
        .select(['master_key_id as masterKeyId', count])
        .groupBy('master_key_id'),
    ),
  )
  add(
    'mail',
    yield* rows(
      db
        .selectFrom('mails')
        .select(['master_key_id as masterKeyId', count])
        .where('sealed', 'is not', null)
        .groupBy('master_key_id'),
    ),
  )
  return counted
}

/** By master key. Codes that are used up by attempts count too, until they expire. */
export function* codeCounts(sql: Sql): Transaction<CodeCount[]> {
  const now = yield* sql.clock()
  const columns = <Table extends 'registrations' | 'password_resets'>(_: ExpressionBuilder<Schema, Table>) =>
    [
      raw<string>`code_master_key_id`.as('masterKeyId'),
      count,
      raw<number>`cast(max(code_expires_at) as bigint)`.as('lastsUntil'),
    ] as const
  const byKey = new Map<string, CodeCount>()
  for (const table of ['registrations', 'password_resets'] as const) {
    const found: CodeCount[] = yield* rows(
      sql.db
        .selectFrom(table)
        .select(columns)
        .where('code_expires_at', '>', now)
        .groupBy('code_master_key_id'),
    )
    for (const { masterKeyId, count, lastsUntil } of found) {
      const known = byKey.get(masterKeyId) ?? { count: 0, lastsUntil: 0 }
      byKey.set(masterKeyId, {
        masterKeyId,
        count: known.count + count,
        lastsUntil: Math.max(known.lastsUntil, lastsUntil),
      })
    }
  }
  return [...byKey.values()]
}
