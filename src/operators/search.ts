/** Finds accounts by an address, a number, a key or its first characters, or a request id. */

import { sql as raw } from 'kysely'
import { ACCOUNT_NUMBER } from '../accounts/account.ts'
import { addressOf } from '../accounts/address.ts'
import { timeOfId } from '../base/ids.ts'
import { CLOCK_DIFFERENCE_MS } from '../base/limits/operation.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AccountView, accountsOf } from './accounts.ts'

type Match = 'number' | 'email' | 'key' | 'request_id'

/** @param hashes of the text, if it is a whole key */
export function* searchAccounts(
  sql: Sql,
  {
    hashes,
    limit,
    text,
  }: { readonly text: string; readonly hashes: readonly Uint8Array[]; readonly limit: number },
): Transaction<{ by: Match; account: AccountView }[]> {
  const found = new Map<number, Match>()
  const add = (by: Match, ids: readonly number[]) => {
    for (const id of ids) if (!found.has(id)) found.set(id, by)
  }
  if (ACCOUNT_NUMBER.test(text)) add('number', [Number(text)])
  if (hashes.length > 0) add('key', yield* ownersOf(sql, 'hash', hashes))
  else if (text.startsWith('qd_')) add('key', yield* ownersOf(sql, 'prefix', [text]))
  else {
    add('email', yield* byAddress(sql, text, limit))
    add('request_id', yield* byRequest(sql, text))
  }
  const ids = [...found.keys()].slice(0, limit)
  const views = yield* accountsOf(sql, ids)
  return views.map((account) => ({ by: found.get(account.accountId)!, account }))
}

function* ownersOf<Column extends 'hash' | 'prefix'>(
  { db }: Sql,
  column: Column,
  values: readonly (Uint8Array | string)[],
): Transaction<number[]> {
  const keys = db.selectFrom('api_keys').select('account_id').distinct()
  const owners = yield* rows(keys.where(column as 'prefix', 'in', values as string[]).limit(MOST_OWNERS))
  return owners.map(({ account_id }) => account_id)
}

const MOST_OWNERS = 100

/** The last character in the order of bytes. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Addresses that begin with the text. */
function* byAddress(sql: Sql, text: string, limit: number): Transaction<number[]> {
  // Addresses are stored in the form of addressOf. A text without a domain is the beginning of the local part.
  const start = text.includes('@') ? addressOf(text) : text.normalize('NFC').toLowerCase()
  const address = raw`address ${raw.raw(sql.dialect === 'sqlite' ? 'COLLATE BINARY' : 'COLLATE "C"')}`
  const starts = raw<boolean>`address is not null and ${address} >= ${start} and ${address} < ${start + LAST_CHARACTER}`
  const found = yield* rows(sql.db.selectFrom('accounts').select('id').where(starts).limit(limit))
  return found.map(({ id }) => id)
}

/** The accounts of the calls with a request id; for an id of the service, the search is limited to the time in it. */
function* byRequest({ db }: Sql, text: string): Transaction<number[]> {
  const at = timeOfId(text)
  const all = db
    .selectFrom('audit')
    .select('account_id')
    .distinct()
    .where('account_id', 'is not', null)
    .limit(MOST_OWNERS)
  const made =
    at === null
      ? []
      : yield* rows(
          all
            .where('id', '=', text)
            .where('at', '>=', at - CLOCK_DIFFERENCE_MS)
            .where('at', '<=', at + CLOCK_DIFFERENCE_MS),
        )
  const given = yield* rows(
    all.where('request_id', '=', text).where('kind', '=', COMPUTATION).whereRef('request_id', '<>', 'id'),
  )
  return [...made, ...given].flatMap(({ account_id }) => account_id ?? [])
}
