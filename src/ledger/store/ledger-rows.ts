/** The rows that a group commit reads and writes: the columns of each table, in one place for both databases. */
import type { Selectable } from 'kysely'
import type { AddressSalt, ProvenGroup, ProvenRow } from '../proofs/group.ts'
import type {
  Binding,
  LedgerAccount,
  LedgerEvent,
  LineageKey,
  Lot,
  RefusalCount,
  TeamKey,
} from '../rules/types.ts'
import type { Schema } from './schema.ts'

/** The value of `bytea` is hexadecimal. */
type ColumnType = 'bigint' | 'integer' | 'text' | 'bytea'

/** A column of a table, and the value it takes from an item that is written. */
export interface Column<Item> {
  readonly name: string
  readonly type: ColumnType
  readonly value: (item: Item) => string | number | null
}

type ColumnOf<Item> = readonly [ColumnType, Column<Item>['value']]

const columns = <Item>(of: Readonly<Record<string, ColumnOf<Item>>>): readonly Column<Item>[] =>
  Object.entries(of).map(([name, [type, value]]) => ({ name, type, value }))

/** The columns that an entry can change, and the id of the account. */
export const accountColumns = columns<LedgerAccount>({
  id: ['bigint', (account) => account.id],
  balance: ['bigint', (account) => account.balance],
  minute_started_at: ['bigint', (account) => account.minute.startedAt],
  minute_count: ['bigint', (account) => account.minute.count],
  hour_started_at: ['bigint', (account) => account.hour.startedAt],
  hour_count: ['bigint', (account) => account.hour.count],
  day_started_at: ['bigint', (account) => account.day.startedAt],
  day_count: ['bigint', (account) => account.day.count],
  work_started_at: ['bigint', (account) => account.work.startedAt],
  work_micros: ['bigint', (account) => account.work.count],
} satisfies Partial<Record<keyof Schema['accounts'], ColumnOf<LedgerAccount>>>)

export const auditColumns = columns<ProvenRow>({
  id: ['text', (row) => row.id],
  at: ['bigint', (row) => row.at],
  account_id: ['bigint', (row) => row.accountId],
  key_id: ['bigint', (row) => row.keyId],
  kind: ['text', (row) => row.kind],
  method: ['text', (row) => row.method],
  path: ['text', (row) => row.path],
  status: ['bigint', (row) => row.status],
  code: ['text', (row) => row.code],
  credits: ['bigint', (row) => row.credits],
  calls: ['bigint', (row) => row.calls],
  ip: ['text', (row) => row.ip],
  request_id: ['text', (row) => row.requestId],
  duration_ms: ['bigint', (row) => row.durationMs],
  replayed: ['bigint', (row) => (row.replayed ? 1 : 0)],
  detail: ['text', (row) => row.detail],
  stream: ['integer', (row) => row.stream],
  group_number: ['integer', (row) => row.groupNumber],
  content: ['bytea', (row) => row.content],
} satisfies Record<Exclude<keyof Schema['audit'], 'address'>, ColumnOf<ProvenRow>>)

/** Pairs of an account and its salt. */
export const saltColumns = columns<readonly [number, AddressSalt]>({
  account_id: ['bigint', ([accountId]) => accountId],
  salt: ['bytea', ([, { salt }]) => salt],
} satisfies Record<keyof Schema['audit_salts'], ColumnOf<readonly [number, AddressSalt]>>)

export const groupColumns = columns<ProvenGroup>({
  account_id: ['bigint', (group) => group.accountId],
  at: ['bigint', (group) => group.at],
  stream: ['integer', (group) => group.stream],
  number: ['integer', (group) => group.number],
  leaves: ['integer', (group) => group.leaves],
  link: ['bytea', (group) => group.link],
} satisfies Record<keyof Schema['audit_groups'], ColumnOf<ProvenGroup>>)

export const bindingColumns = columns<Binding>({
  account_id: ['bigint', (binding) => binding.accountId],
  idempotency_key: ['text', (binding) => binding.idempotencyKey],
  request_hash: ['text', (binding) => binding.requestHash],
  audit_id: ['text', (binding) => binding.auditId],
  expires_at: ['bigint', (binding) => binding.expiresAt],
  replayed: ['bigint', (binding) => binding.replays],
} satisfies Record<keyof Schema['bindings'], ColumnOf<Binding>>)

export const refusalColumns = columns<RefusalCount>({
  key_id: ['bigint', (refusal) => refusal.keyId],
  account_id: ['bigint', (refusal) => refusal.accountId],
  ip: ['text', (refusal) => refusal.ip],
  code: ['text', (refusal) => refusal.code],
  minute: ['bigint', (refusal) => refusal.minute],
  count: ['bigint', (refusal) => refusal.count],
} satisfies Record<keyof Schema['refusals'], ColumnOf<RefusalCount>>)

/** The columns that an entry can change, and the id of the lineage. */
export const teamKeyColumns = columns<TeamKey>({
  id: ['bigint', (key) => key.id],
  spent: ['bigint', (key) => key.spent],
  spent_from: ['bigint', (key) => key.spentFrom],
  spent_total: ['bigint', (key) => key.spentTotal],
  hour_started_at: ['bigint', (key) => key.hour.startedAt],
  hour_count: ['bigint', (key) => key.hour.count],
  last_used_at: ['bigint', (key) => key.lastUsedAt],
} satisfies Partial<Record<keyof Schema['team_keys'], ColumnOf<TeamKey>>>)

export const lotColumns = columns<Lot>({
  id: ['bigint', (lot) => lot.id],
  remaining: ['bigint', (lot) => lot.remaining],
  expired: ['bigint', (lot) => lot.expired],
} satisfies Partial<Record<keyof Schema['lots'], ColumnOf<Lot>>>)

/** The ledger row that books what was left of an expired lot, at the time of its end. */
export const expiryColumns = columns<Lot>({
  at: ['bigint', (lot) => lot.expiresAt],
  account_id: ['bigint', (lot) => lot.accountId],
  kind: ['text', () => 'expired'],
  amount: ['bigint', (lot) => -lot.remaining],
} satisfies Partial<Record<keyof Schema['ledger'], ColumnOf<Lot>>>)

export const expiringColumns = columns<LedgerAccount>({
  id: ['bigint', (account) => account.id],
  lots_expire_at: ['bigint', (account) => account.lotsExpireAt],
} satisfies Partial<Record<keyof Schema['accounts'], ColumnOf<LedgerAccount>>>)

export const eventColumns = columns<LedgerEvent>({
  account_id: ['bigint', (event) => event.accountId],
  type: ['text', (event) => event.type],
  data: ['text', (event) => JSON.stringify(event.data)],
  at: ['bigint', (event) => event.at],
} satisfies Partial<Record<keyof Schema['webhook_events'], ColumnOf<LedgerEvent>>>)

export const namesOf = (of: readonly Column<never>[]): string => of.map(({ name }) => name).join(', ')

/**
 * The conflict clauses that count a refusal again and replace the binding of an idempotency key; both databases take the same
 * text. Where tables are divided by account, each unique index contains the account, and the clause must name it.
 */
export const onConflict = ({ isDivided }: { readonly isDivided: boolean }) => ({
  bindings: `ON CONFLICT (account_id, idempotency_key) DO UPDATE SET request_hash = excluded.request_hash,
    audit_id = excluded.audit_id, expires_at = excluded.expires_at, replayed = excluded.replayed`,
  refusals: `ON CONFLICT (key_id, ip, code, minute${isDivided ? ', account_id' : ''})
    DO UPDATE SET count = refusals.count + excluded.count`,
})

/** The columns that a decision needs of an account. */
export const accountFields = [
  'id',
  'tier',
  'balance',
  'verified_at',
  'expires_at',
  'hour_limit',
  'day_limit',
  'work_limit',
  'minute_started_at',
  'minute_count',
  'hour_started_at',
  'hour_count',
  'day_started_at',
  'day_count',
  'work_started_at',
  'work_micros',
  'lots_expire_at',
  'low_credits',
] satisfies readonly (keyof Schema['accounts'])[]

/** The columns whose values are numbers or null. */
export const accountNumbers = accountFields.filter((field) => field !== 'tier')

export type AccountRow = Pick<Selectable<Schema['accounts']>, (typeof accountFields)[number]>

export const accountFrom = (row: AccountRow): LedgerAccount => ({
  id: row.id,
  tier: row.tier,
  balance: row.balance,
  verified: row.verified_at !== null,
  expiresAt: row.expires_at,
  hourLimit: row.hour_limit,
  dayLimit: row.day_limit,
  workLimit: row.work_limit,
  lowCredits: row.low_credits,
  lotsExpireAt: row.lots_expire_at,
  minute: { startedAt: row.minute_started_at, count: row.minute_count },
  hour: { startedAt: row.hour_started_at, count: row.hour_count },
  day: { startedAt: row.day_started_at, count: row.day_count },
  work: { startedAt: row.work_started_at, count: row.work_micros },
})

/** A team key joined with its lineage: the columns of `teamKeyFields`. */
export type TeamKeyRow = Pick<
  Selectable<Schema['team_keys']>,
  Exclude<keyof Schema['team_keys'], 'id' | 'name' | 'paths' | 'allowed_ips' | 'created_at'>
> & { readonly key_id: number; readonly team_key_id: number; readonly ends_at: number | null }

/** The columns of team keys `k` joined with their lineages `t`. */
export const teamKeyFields = [
  'k.id AS key_id',
  'k.ends_at',
  't.id AS team_key_id',
  't.account_id',
  't.credit_cap',
  't.cap_period',
  't.spent',
  't.spent_from',
  't.spent_total',
  't.hourly_limit',
  't.hour_started_at',
  't.hour_count',
  't.expires_at',
  't.last_used_at',
].join(', ')

export const teamKeyFrom = (row: TeamKeyRow): TeamKey => ({
  id: row.team_key_id,
  accountId: row.account_id,
  creditCap: row.credit_cap,
  capPeriod: row.cap_period,
  spent: row.spent,
  spentFrom: row.spent_from,
  spentTotal: row.spent_total,
  hourlyLimit: row.hourly_limit,
  hour: { startedAt: row.hour_started_at, count: row.hour_count },
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
})

export const lineageKeyFrom = (row: TeamKeyRow): LineageKey => ({
  keyId: row.key_id,
  teamKeyId: row.team_key_id,
  endsAt: row.ends_at,
})

/** The columns that a decision needs of a lot. */
export const lotFields = [
  'id',
  'account_id',
  'granted',
  'remaining',
  'expired',
  'expires_at',
] satisfies readonly (keyof Schema['lots'])[]

export type LotRow = Pick<Selectable<Schema['lots']>, (typeof lotFields)[number]>

export const lotFrom = (row: LotRow): Lot => ({
  id: row.id,
  accountId: row.account_id,
  granted: row.granted,
  remaining: row.remaining,
  expired: row.expired,
  expiresAt: row.expires_at,
})

export type BindingRow = Selectable<Schema['bindings']>

export const bindingFrom = (row: BindingRow): Binding => ({
  accountId: row.account_id,
  idempotencyKey: row.idempotency_key,
  requestHash: row.request_hash,
  auditId: row.audit_id,
  expiresAt: row.expires_at,
  replays: row.replayed,
})
