/** The movements of credits of an account, with what was taken back of them. */
import { sql as raw } from 'kysely'
import { GRANTS_SHOWN } from '../limits/operation.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'

interface GivenGrant {
  readonly at: number
  readonly kind: string
  readonly credits: number
  readonly note: string | null
  readonly reference: string | null
  /** Credits that were taken back; null: it cannot be reversed. */
  readonly reversed: number | null
}

/** Movements of credits but charges and refunds, the newest first. */
export function* movements({ db }: Sql, accountId: number): Transaction<GivenGrant[]> {
  return yield* rows(
    db
      .selectFrom('ledger as l')
      .leftJoin('ledger_references as r', (join) =>
        join
          .onRef('r.reference', '=', 'l.reference')
          .onRef('r.account_id', '=', 'l.account_id')
          .on('r.grant_reference', 'is', null),
      )
      .select(['l.at', 'l.kind', 'l.amount as credits', 'l.note', 'l.reference'])
      .select(raw<number | null>`case when l.kind = 'grant' then r.reversed end`.as('reversed'))
      .where('l.account_id', '=', accountId)
      .where('l.kind', 'in', ['grant', 'transfer_in', 'transfer_out', 'reversal', 'expired'])
      .orderBy('l.id', 'desc')
      .limit(GRANTS_SHOWN),
  )
}
