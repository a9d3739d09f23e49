/** The clean-up of registrations, password resets and mails that have expired. */
import { sql as raw } from 'kysely'
import { deletePiece, type Sql, type Transaction } from '../sql.ts'

const DAY_MS = 24 * 3_600_000
/** A registration can be renewed for this long. */
const REGISTRATION_MS = DAY_MS
/** Rows of sent and abandoned mails are kept this long, without text, to show the outcome. */
const MAIL_MS = 7 * DAY_MS

/** Deletes at most `piece` rows of each table; returns the numbers. */
export function* tidyAccounts(sql: Sql, now: number, piece: number): Transaction<number[]> {
  return [
    yield* deletePiece(sql, 'registrations', raw`created_at <= ${now - REGISTRATION_MS}`, piece),
    yield* deletePiece(sql, 'password_resets', raw`code_expires_at <= ${now}`, piece),
    yield* deletePiece(sql, 'mails', raw`sealed IS NULL AND created_at <= ${now - MAIL_MS}`, piece),
  ]
}
