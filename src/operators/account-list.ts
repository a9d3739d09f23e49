/**
 * Lists of accounts: sorted, filtered, and searched by all that an operator may know of an account. Balance and last use have no index,
 * which every call would have to write: a list examines accounts in the thread of reads, the newest ones up to a limit.
 */
import { type RawBuilder, sql as raw } from 'kysely'
import { ACCOUNT_NUMBER } from '../accounts/account.ts'
import { addressOf } from '../accounts/address.ts'
import { ACCOUNTS_EXAMINED, KEY_OWNERS_FOUND, SEARCH_WORDS } from '../base/limits/operation.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import type { KeyStatus } from '../ledger/rules/types.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { startOf } from '../secrets/keys.ts'
import { type AccountView, accounts, withKeys } from './accounts.ts'

/** The orders of a list. Among accounts of one value, the number decides. */
export const ORDERS = {
  newest: { column: 'id', direction: 'desc' },
  oldest: { column: 'id', direction: 'asc' },
  most_credits: { column: 'balance', direction: 'desc' },
  least_credits: { column: 'balance', direction: 'asc' },
  last_used: { column: 'hour_started_at', direction: 'desc' },
  longest_unused: { column: 'hour_started_at', direction: 'asc' },
} as const
export type AccountOrder = keyof typeof ORDERS

/** An account must satisfy all that is given. */
export interface AccountFilter {
  /** Words that occur in its address or names; or its number, the name of a team key, or the start of a key. */
  readonly text?: string | undefined
  /** The hashes of the text, if it is a whole key. */
  readonly hashes?: readonly Uint8Array[]
  readonly type?: Tier | 'registered' | undefined
  /** The state of its own key; `revoked`: all of its own keys are. */
  readonly state?: KeyStatus | undefined
  readonly credits?: { readonly least: number; readonly most: number }
  /** Epoch milliseconds of its last use: `from` is included, `to` is not. */
  readonly used?: { readonly from: number; readonly to: number }
}

/** The place after which a page begins: the value of the order's column, and the number. */
export interface AccountPlace {
  readonly value: number
  readonly id: number
}

interface AccountQuery {
  readonly order: AccountOrder
  readonly filter: AccountFilter
  readonly after: AccountPlace | null
  readonly limit: number
}

interface AccountPage {
  readonly items: readonly ListedAccount[]
  /** Where the next page begins; null: there is none. */
  readonly next: AccountPlace | null
  /** Whether accounts were left out, because too many are older than those that were examined. */
  readonly isCut: boolean
}

interface ListedAccount extends AccountView {
  /** The key or number by which the text found it; null: its address or names. */
  readonly foundBy: FoundBy | null
}

type FoundBy = 'number' | 'key' | 'team_key'

export function* accountsPage(sql: Sql, query: AccountQuery): Transaction<AccountPage> {
  const { after, filter, limit, order } = query
  const { column, direction } = ORDERS[order]
  const end = yield* lastExamined(sql, query)
  const examined = {
    beyond: isUp(query) ? '<=' : '>=',
    id: end ?? (isUp(query) ? Number.MAX_SAFE_INTEGER : 1),
  } as const
  const known = filter.text === undefined ? null : yield* knownBy(sql, filter, examined)
  const page = filtered(sql, filter, yield* sql.clock())
    .select(raw.ref<number>(column).as('value'))
    .$if(after !== null, (rest) => rest.where(isBeyond(query, after!)))
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
  const some = page
    .where('id', examined.beyond, examined.id)
    .$if(filter.text !== undefined, (having) => having.where(hasWords(sql, filter.text!)))
  const found = known?.isExact ? [] : yield* rows(some)
  const ids = [...(known?.by.keys() ?? [])]
  if (ids.length > 0) found.push(...(yield* rows(page.where('id', 'in', ids))))
  const sign = direction === 'asc' ? 1 : -1
  const items = [...new Map(found.map((one) => [one.accountId, one])).values()]
    .sort((a, b) => sign * (a.value - b.value || a.accountId - b.accountId))
    .slice(0, limit)
  const last = items.length === limit ? items.at(-1)! : null
  const isCut = end !== null && last === null
  return {
    items: (yield* withKeys(sql, items)).map((view) => ({
      ...view,
      foundBy: known?.by.get(view.accountId) ?? null,
    })),
    next:
      last !== null
        ? { value: last.value, id: last.accountId }
        : isCut && column === 'id'
          ? { value: end, id: end }
          : null,
    isCut: isCut && column !== 'id',
  }
}

/** The accounts whose numbers may be examined. */
interface Examined {
  readonly beyond: '<=' | '>='
  readonly id: number
}

/** Whether accounts are examined from the oldest on. */
const isUp = ({ order }: AccountQuery): boolean => order === 'oldest'

/** Whether an account comes after a place in the order. */
function isBeyond({ order }: AccountQuery, { id, value }: AccountPlace): RawBuilder<boolean> {
  const { column, direction } = ORDERS[order]
  const sign = raw.raw(direction === 'asc' ? '>' : '<')
  return column === 'id'
    ? raw<boolean>`id ${sign} ${id}`
    : raw<boolean>`(${raw.ref(column)}, id) ${sign} (${value}, ${id})`
}

/**
 * The number of the last account that may be examined; null: all may. A server scans beside the calls, under its time limit for
 * statements. A list in the order of numbers without filter needs no limit, because its page ends the scan.
 */
function* lastExamined({ db, dialect }: Sql, query: AccountQuery): Transaction<number | null> {
  const { after, filter, order } = query
  const isById = ORDERS[order].column === 'id'
  if (dialect !== 'sqlite' || (isById && Object.values(filter).every((value) => value === undefined)))
    return null
  const newest = yield* first(db.selectFrom('accounts').select(({ fn }) => fn.max('id').as('id')))
  if (Number(newest?.id ?? 0) <= ACCOUNTS_EXAMINED) return null
  const from = isById && after !== null ? after.id : isUp(query) ? 0 : Number.MAX_SAFE_INTEGER
  const row = yield* first(
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', isUp(query) ? '>' : '<', from)
      .orderBy('id', isUp(query) ? 'asc' : 'desc')
      .limit(1)
      .offset(ACCOUNTS_EXAMINED),
  )
  return row?.id ?? null
}

function filtered(sql: Sql, { credits, state, type, used }: AccountFilter, now: number) {
  return accounts(sql, now)
    .$if(type === 'registered', (some) => some.where('tier', '<>', 'guest'))
    .$if(type !== undefined && type !== 'registered', (some) => some.where('tier', '=', type as Tier))
    .$if(state !== undefined, (some) => some.where(isInState(state!)))
    .$if(credits !== undefined, (some) =>
      some.where('balance', '>=', credits!.least).where('balance', '<=', credits!.most),
    )
    .$if(used !== undefined, (some) =>
      some.where('hour_started_at', '>=', used!.from).where('hour_started_at', '<', used!.to),
    )
}

/** Whether the own key of an account is in a state. Suspended accounts are few, and have an index. */
function isInState(state: KeyStatus): RawBuilder<boolean> {
  if (state === 'suspended')
    return raw<boolean>`id in (select account_id from api_keys where status = 'suspended' and team_key_id is null)`
  const usable = raw`select 1 from api_keys where api_keys.account_id = accounts.id and team_key_id is null`
  return state === 'active'
    ? raw<boolean>`exists (${usable} and status = 'active')`
    : raw<boolean>`not exists (${usable} and status <> 'revoked')`
}

/** Whether each word of a text occurs in the address or the names of an account. */
const hasWords = (sql: Sql, text: string): RawBuilder<boolean> =>
  allWords(text, (word) => contains(sql, word, ['address', 'username', 'full_name']))

const allWords = (text: string, test: (word: string) => RawBuilder<boolean>): RawBuilder<boolean> =>
  raw<boolean>`(${raw.join(text.split(/\s+/).slice(0, SEARCH_WORDS).map(test), raw` and `)})`

/** Whether one of the columns contains a word. Databases may fold the case of ASCII only, so other spellings are searched, too. */
function contains({ dialect }: Sql, word: string, columns: readonly string[]): RawBuilder<boolean> {
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()]
  const capitalised = `${[...upper][0]}${[...lower].slice(1).join('')}`
  const spellings = new Set(/^\p{ASCII}*$/u.test(word) ? [lower] : [word, lower, upper, capitalised])
  const like = raw.raw(dialect === 'sqlite' ? 'like' : 'ilike')
  const tests = columns.flatMap((column) =>
    [...spellings].map(
      (spelling) =>
        raw`${raw.ref(column)} ${like} ${`%${spelling.replace(/[\\%_]/g, '\\$&')}%`} escape ${raw.lit('\\')}`,
    ),
  )
  return raw<boolean>`(${raw.join(tests, raw` or `)})`
}

/** The accounts that a text names by an index, whatever their age. `isExact`: the text can be nothing else. */
function* knownBy(sql: Sql, { hashes = [], text = '' }: AccountFilter, examined: Examined) {
  const isExact = text.startsWith('qd_')
  const by = new Map<number, FoundBy | null>()
  const add = (found: FoundBy | null, ids: readonly number[]) => {
    for (const id of ids) if (!by.has(id)) by.set(id, found)
  }
  if (hashes.length > 0) add('key', yield* ownersOf(sql, raw`hash in (${raw.join(hashes)})`))
  else if (isExact) add('key', yield* ownersOf(sql, beginsWith(sql, 'prefix', startOf(text))))
  else {
    if (ACCOUNT_NUMBER.test(text)) add('number', [Number(text)])
    add(null, yield* byAddress(sql, text))
    add('team_key', yield* byTeamKey(sql, text, examined))
  }
  return { by, isExact }
}

/** The accounts of keys. */
function* ownersOf({ db }: Sql, condition: RawBuilder<unknown>): Transaction<number[]> {
  const keys = db.selectFrom('api_keys').select('account_id').distinct()
  const owners = yield* rows(keys.where(condition as RawBuilder<boolean>).limit(KEY_OWNERS_FOUND))
  return owners.map(({ account_id }) => account_id)
}

/** The last character in the order of bytes. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Whether a column, which has an index in the order of bytes, begins with a text. */
function beginsWith({ dialect }: Sql, column: string, start: string): RawBuilder<boolean> {
  const value = raw`${raw.ref(column)} ${raw.raw(dialect === 'sqlite' ? 'COLLATE BINARY' : 'COLLATE "C"')}`
  return raw<boolean>`(${raw.ref(column)} is not null and ${value} >= ${start} and ${value} < ${start + LAST_CHARACTER})`
}

/** Addresses that begin with the text. */
function* byAddress(sql: Sql, text: string): Transaction<number[]> {
  // Addresses are stored in the form of addressOf. A text without a domain is the beginning of the local part.
  const start = text.includes('@') ? addressOf(text) : text.toLowerCase()
  const found = yield* rows(
    sql.db
      .selectFrom('accounts')
      .select('id')
      .where(beginsWith(sql, 'address', start))
      .limit(KEY_OWNERS_FOUND),
  )
  return found.map(({ id }) => id)
}

/** The owners of team keys in whose names each word of the text occurs. */
function* byTeamKey(sql: Sql, text: string, { beyond, id }: Examined): Transaction<number[]> {
  const keys = sql.db.selectFrom('team_keys').select('account_id').distinct().where('account_id', beyond, id)
  const found = yield* rows(
    keys.where(allWords(text, (word) => contains(sql, word, ['name']))).limit(KEY_OWNERS_FOUND),
  )
  return found.map(({ account_id }) => account_id)
}
