/** What is left of registrations, resets and mails once nobody can use it any more. */
import { sql as raw } from 'kysely'
import { deletePiece, type Sql, type Transaction } from '../sql.ts'

const DAY_MS = 24 * 3_600_000
/** A registration may be renewed for so long. */
const REGISTRATION_MS = DAY_MS
/** Sent and abandoned mails, without their text, tell for so long what became of them. */
const MAIL_MS = 7 * DAY_MS

/** How many rows of each table went, at most `piece`. */
export function* tidyAccounts(sql: Sql, now: number, piece: number): Transaction<number[]> {
  return [
    yield* deletePiece(sql, 'registrations', raw`created_at <= ${now - REGISTRATION_MS}`, piece),
    yield* deletePiece(sql, 'password_resets', raw`code_expires_at <= ${now}`, piece),
    yield* deletePiece(sql, 'mails', raw`sealed IS NULL AND created_at <= ${now - MAIL_MS}`, piece),
  ]
}
