/** The check of every balance, lineage and reversal against the ledger, and how it is printed. */
import { createHash } from 'node:crypto'
import { sql as raw } from 'kysely'
import { plural } from '../base/text.ts'
import { ALL_TIMES, auditParts, COMPUTATION, type Piece, piecesOf } from '../ledger/store/audit.ts'
import { setFact } from '../ledger/store/facts.ts'
import { rows, type Sql, statement, type Transaction } from '../ledger/store/sql.ts'

interface LedgerFault {
  readonly accountId: number
  readonly balance: number
  readonly debt: number
  /** Credits left in lots, which must not exceed the balance. */
  readonly lots: number
  /** Balance − debt, computed from the movements and debits. */
  readonly expected: number
}

/** A grant whose reversals differ from the sum in its reference, or exceed the grant. */
interface ReversalFault {
  readonly accountId: number
  readonly reference: string
  readonly credits: number
  readonly reversed: number
  readonly expected: number
}

/** A team key whose spending differs from the debits of its keys. */
interface LineageFault {
  readonly teamKeyId: number
  readonly accountId: number
  readonly spent: number
  readonly expected: number
}

export interface LedgerCheck {
  readonly accounts: number
  readonly credits: number
  readonly faults: readonly LedgerFault[]
  readonly lineageFaults: readonly LineageFault[]
  readonly reversalFaults: readonly ReversalFault[]
  /** SHA-256 over balances, movements and debits, in hexadecimal: equal for equal ledgers. */
  readonly digest: string
}

const PAGE = 1_000

interface Range {
  readonly least: number
  readonly most: number
}

/**
 * Checks that balance − debt = grants + transfers + refunds − debits − reversals − expired, for one account or (null) for all.
 */
export function* checkLedger(sql: Sql, accountId: number | null): Transaction<LedgerCheck> {
  // Waits until a removal of a day has ended, so that the snapshot has either the rows of that day or their sums in the ledger.
  if (sql.isByDay) yield statement('LOCK TABLE ONLY audit IN ACCESS SHARE MODE')
  const range = { least: accountId ?? 0, most: accountId ?? Number.MAX_SAFE_INTEGER }
  const digest = createHash('sha256')
  const add = (...values: readonly unknown[]) => digest.update(`${JSON.stringify(values)}\n`)
  const faults: LedgerFault[] = []
  let accounts = 0
  let credits = 0
  for (let after = range.least - 1; ; ) {
    const page = yield* rows(balances(sql, after, range))
    for (const { balance, debited, debt, given, id, lots } of page) {
      accounts += 1
      credits += balance
      add('account', id, balance, ...(debt === 0 && lots === 0 ? [] : [debt, lots]))
      const expected = given - debited
      if (balance - debt !== expected || lots > balance)
        faults.push({ accountId: id, balance, debt, lots, expected })
    }
    if (page.length < PAGE) break
    after = page.at(-1)!.id
  }
  const lineageFaults = yield* checkLineages(sql, range)
  const reversalFaults = yield* checkReversals(sql, range)
  yield* eachLedgerRow(sql, range, (row) => add('ledger', ...row))
  yield* eachDebit(sql, range, (row) => add('debit', ...row))
  return {
    accounts,
    credits,
    faults,
    lineageFaults,
    reversalFaults,
    digest: digest.digest('hex'),
  }
}

const balances = ({ db }: Sql, after: number, { most }: Range) => {
  const own = raw`account_id = a.id`
  return db
    .selectFrom('accounts as a')
    .select([
      'a.id',
      'a.balance',
      'a.debt',
      raw<number>`cast(coalesce((select sum(remaining) from lots where ${own}), 0) as bigint)`.as('lots'),
      raw<number>`cast(coalesce((select sum(amount) from ledger where ${own}), 0) as bigint)`.as('given'),
      raw<number>`cast(coalesce((select sum(credits) from audit where ${own} and kind = ${COMPUTATION}), 0)
        + coalesce((select sum(credits) from audit where ${own} and kind <> ${COMPUTATION}), 0) as bigint)`.as(
        'debited',
      ),
    ])
    .where('a.id', '>', after)
    .where('a.id', '<=', most)
    .orderBy('a.id')
    .limit(PAGE)
}

/** Checks that the spending of a lineage = debits of its keys − refunds, with the sums of removed days. */
function* checkLineages(sql: Sql, { least, most }: Range): Transaction<LineageFault[]> {
  const faults: LineageFault[] = []
  for (let after = 0; ; ) {
    const page = yield* rows(
      sql.db
        .selectFrom('team_keys')
        .select(['id', 'account_id as accountId', 'spent_total as spent'])
        .where('id', '>', after)
        .where('account_id', '>=', least)
        .where('account_id', '<=', most)
        .orderBy('id')
        .limit(PAGE),
    )
    const expected = page.length === 0 ? new Map<number, number>() : yield* chargesOf(sql, page)
    for (const { accountId, id, spent } of page)
      if (spent !== (expected.get(id) ?? 0))
        faults.push({ teamKeyId: id, accountId, spent, expected: expected.get(id) ?? 0 })
    if (page.length < PAGE) return faults
    after = page.at(-1)!.id
  }
}

/** The debits less refunds, by lineage. */
function* chargesOf(
  { db }: Sql,
  lineages: readonly { readonly id: number; readonly accountId: number }[],
): Transaction<Map<number, number>> {
  const ids = lineages.map(({ id }) => id)
  const owners = [...new Set(lineages.map(({ accountId }) => accountId))]
  const debits = yield* rows(
    db
      .selectFrom('audit as a')
      .innerJoin('api_keys as k', (join) =>
        join.onRef('k.id', '=', 'a.key_id').onRef('k.account_id', '=', 'a.account_id'),
      )
      .select(['k.team_key_id as id', raw<number>`cast(sum(a.credits) as bigint)`.as('credits')])
      .where('a.account_id', 'in', owners)
      .where('a.kind', '=', COMPUTATION)
      .where('k.account_id', 'in', owners)
      .where('k.team_key_id', 'in', ids)
      .groupBy('k.team_key_id'),
  )
  const movements = yield* rows(
    db
      .selectFrom('ledger')
      .select(['team_key_id as id', raw<number>`cast(-sum(amount) as bigint)`.as('credits')])
      .where('account_id', 'in', owners)
      .where('team_key_id', 'in', ids)
      .groupBy('team_key_id'),
  )
  const sums = new Map<number, number>()
  for (const { credits, id } of [...debits, ...movements]) sums.set(id!, (sums.get(id!) ?? 0) + credits)
  return sums
}

/** Checks that the reversals of a grant are those that its reference counts, and not more than the grant. */
function* checkReversals({ db }: Sql, { least, most }: Range): Transaction<ReversalFault[]> {
  const faults: ReversalFault[] = []
  for (let after = ''; ; ) {
    const page = yield* rows(
      db
        .selectFrom('ledger_references as g')
        .select(['g.reference', 'g.account_id as accountId', 'g.credits', 'g.reversed'])
        .select(
          raw<number>`cast(coalesce((select sum(r.credits) from ledger_references r
            where r.grant_reference = g.reference), 0) as bigint)`.as('expected'),
        )
        .where('g.reference', '>', after)
        .where('g.account_id', '>=', least)
        .where('g.account_id', '<=', most)
        .orderBy('g.reference')
        .limit(PAGE),
    )
    faults.push(
      ...page.filter(({ credits, expected, reversed }) => reversed !== expected || expected > credits),
    )
    if (page.length < PAGE) return faults
    after = page.at(-1)!.reference
  }
}

function* eachLedgerRow(
  { db }: Sql,
  { least, most }: Range,
  take: (row: readonly unknown[]) => void,
): Transaction<void> {
  for (let after = 0; ; ) {
    const page = yield* rows(
      db
        .selectFrom('ledger')
        .select(['id', 'at', 'account_id', 'kind', 'amount', 'audit_id', 'note'])
        .where('id', '>', after)
        .where('account_id', '>=', least)
        .where('account_id', '<=', most)
        .orderBy('id')
        .limit(PAGE),
    )
    for (const row of page)
      take([row.id, row.at, row.account_id, row.kind, row.amount, row.audit_id, row.note])
    if (page.length < PAGE) return
    after = page.at(-1)!.id
  }
}

/** Calls `take` with each debit in order of time. */
function* eachDebit(sql: Sql, range: Range, take: (row: readonly unknown[]) => void): Transaction<void> {
  for (const piece of piecesOf(yield* auditParts(sql), ALL_TIMES)) yield* eachDebitOf(sql, range, piece, take)
}

/** Calls `take` with each debit of one partition, which the index of one account or of all accounts finds. */
function* eachDebitOf(
  { db }: Sql,
  { least, most }: Range,
  { from, to }: Piece,
  take: (row: readonly unknown[]) => void,
): Transaction<void> {
  for (let after = { at: from, id: '' }; ; ) {
    const last = after
    const page = yield* rows(
      db
        .selectFrom('audit')
        .select(['account_id', 'at', 'id', 'credits'])
        .where('at', '>=', last.at)
        .where('at', '<', to)
        .where((where) => where.or([where('at', '>', last.at), where('id', '>', last.id)]))
        .where('credits', '>', 0)
        .$if(least === most, (one) => one.where('account_id', '=', least).where('kind', '=', COMPUTATION))
        .orderBy('at')
        .orderBy('id')
        .limit(PAGE),
    )
    for (const row of page) take([row.account_id, row.at, row.id, row.credits])
    if (page.length < PAGE) return
    after = page.at(-1)!
  }
}

/** The name of the fact that holds the last check of all accounts. */
export const LEDGER_CHECK = 'ledger check'

/** Records a check of all accounts. @param differing accounts whose balance differs from the ledger */
export function* recordLedgerCheck(sql: Sql, differing: number): Transaction<void> {
  yield* setFact(sql, LEDGER_CHECK, { at: yield* sql.clock(), differing })
}

export const faultsIn = ({ faults, lineageFaults, reversalFaults }: LedgerCheck): number =>
  faults.length + lineageFaults.length + reversalFaults.length

export const checkJson = (check: LedgerCheck) => ({
  ok: faultsIn(check) === 0,
  accounts: check.accounts,
  credits: check.credits,
  digest: check.digest,
  violations: check.faults.map(({ accountId, balance, debt, expected, lots }) => ({
    account_id: accountId,
    credits: balance,
    expected,
    ...(debt > 0 && { debt }),
    ...(lots > balance && { lots }),
  })),
  team_keys: check.lineageFaults.map(({ accountId, expected, spent, teamKeyId }) => ({
    account_id: accountId,
    key_id: teamKeyId,
    spent,
    expected,
  })),
  reversals: check.reversalFaults.map(({ accountId, ...fault }) => ({ account_id: accountId, ...fault })),
})

export const checkText = ({ violations, ...check }: ReturnType<typeof checkJson>): string =>
  [
    ...violations.map(
      ({ account_id, credits, debt = 0, expected, lots }) =>
        `account ${account_id} holds ${credits} credits${debt > 0 ? ` and owes ${debt}` : ''}; its ledger says ${expected}${lots === undefined ? '' : `; its lots hold ${lots}`}`,
    ),
    ...check.team_keys.map(
      ({ account_id, expected, key_id, spent }) =>
        `team key ${key_id} of account ${account_id} has spent ${spent} credits; its calls were charged ${expected}`,
    ),
    ...check.reversals.map(
      ({ account_id, credits, expected, reference, reversed }) =>
        `the grant ${reference} of ${credits} credits to account ${account_id} counts ${reversed} as reversed; its reversals are ${expected}`,
    ),
    `${plural(check.accounts, 'account')}, ${plural(check.credits, 'credit')}: ${violations.length === 0 ? 'every balance agrees with the ledger' : `${violations.length} differ`}`,
    `digest ${check.digest}`,
  ].join('\n')
