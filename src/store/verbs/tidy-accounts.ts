/** What is left of registrations, resets and mails once nobody can use it any more. */
import { rows, type Sql, type Transaction } from '../sql.ts'

const DAY_MS = 24 * 3_600_000
/** A registration may be renewed for so long. */
const REGISTRATION_MS = DAY_MS
/** Sent and abandoned mails, without their text, tell for so long what became of them. */
const MAIL_MS = 7 * DAY_MS

export function* tidyAccounts({ db }: Sql, now: number): Transaction<void> {
  yield* rows(db.deleteFrom('registrations').where('created_at', '<=', now - REGISTRATION_MS))
  yield* rows(db.deleteFrom('password_resets').where('code_expires_at', '<=', now))
  yield* rows(
    db
      .deleteFrom('mails')
      .where('sealed', 'is', null)
      .where('created_at', '<=', now - MAIL_MS),
  )
}
