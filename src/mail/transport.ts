/** What carries a mail away, and the message it is handed. */
import type { SendMailOptions } from 'nodemailer'
import type { MailText } from './messages.ts'

/** A mail ready to leave; `id` is its row in the outbox. */
export interface OutgoingMail extends MailText {
  readonly id: string
  readonly to: string
}

export interface MailTransport {
  /** Resolves when the mail is in the next one's hands. Throws SendFailure. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/**
 * - `refused`: this recipient or message will not be taken; trying again is of little use.
 * - `deferred`: not now, for this recipient or message.
 * - `away`: nothing can be sent at present, whoever it is for.
 */
export type SendTrouble = 'refused' | 'deferred' | 'away'

export class SendFailure extends Error {
  override readonly name = 'SendFailure'
  readonly trouble: SendTrouble

  constructor(trouble: SendTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}

/** The part of a logger that mail needs. */
export interface MailLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** One address and nothing that a header or an SMTP command would read as more; non-ASCII is left to SMTPUTF8. */
const ONE_ADDRESS = /^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\]+$/u

/**
 * The same message for every transport. The Message-ID comes from the mail's id, so that a mail sent twice (see
 * outbox.ts) is recognised as one; quoted-printable keeps codes readable in the source.
 */
export function composed(from: string, mail: OutgoingMail): SendMailOptions {
  if (!ONE_ADDRESS.test(mail.to))
    throw new SendFailure('refused', 'The recipient is not a single e-mail address.')
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domain(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
  }
}

const domain = (from: string): string => /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost'
