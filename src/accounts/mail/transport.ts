/** The interface of a mail transport, and the message that every transport sends. */
import type { SendMailOptions } from 'nodemailer'
import { EMAIL_ADDRESS } from '../../base/limits/callers.ts'
import type { MailText } from './messages.ts'

/** A mail to send; `id` is its row in the outbox. */
export interface OutgoingMail extends MailText {
  readonly id: string
  readonly to: string
}

export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. Throws SendFailure. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/**
 * - `refused`: the server rejects this recipient or message for good; a retry is unlikely to help.
 * - `deferred`: the server rejects this recipient or message for now.
 * - `away`: no mail can be sent at present.
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

/** Non-ASCII addresses are sent with SMTPUTF8. */
const ADDRESS = new RegExp(EMAIL_ADDRESS, 'u')

/**
 * The message for nodemailer. Its Message-ID is made from the mail's id, so that recipients recognise a mail that was
 * sent twice (see sender.ts). Quoted-printable keeps codes readable in the source.
 */
export function composed(from: string, mail: OutgoingMail): SendMailOptions {
  if (!ADDRESS.test(mail.to))
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
