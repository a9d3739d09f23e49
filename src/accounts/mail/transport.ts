/** Mail transports: over SMTP with a small pool of connections, and for development into files. */
import { randomUUID } from 'node:crypto'
import { chmod, glob, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isLoopback, withoutBrackets } from '../../base/hosts.ts'
import { EMAIL_ADDRESS } from '../../base/limits/callers.ts'
import { MAIL_FILE_MS, MAILS_AT_ONCE, SMTP_MS } from '../../base/limits/operation.ts'
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
function composed(from: string, mail: OutgoingMail): SendMailOptions {
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

interface SmtpSettings {
  /**
   * `smtp://` (uses STARTTLS if the server offers it) or `smtps://`, with `user:password@` for authentication. Query
   * parameters: `requireTLS`, `tls.rejectUnauthorized` (true or false), `tls.servername`, `name` (sent in EHLO).
   */
  readonly url: string
  readonly from: string
  readonly connectTimeoutMs?: number
  /** For one mail, including the connection. */
  readonly sendTimeoutMs?: number
}

export function smtpTransport(settings: SmtpSettings): MailTransport {
  const { connectTimeoutMs = SMTP_MS.connect, sendTimeoutMs = SMTP_MS.send } = settings
  const transporter = createTransport({
    ...serverOf(settings.url),
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // The outbox retries. The pool only replaces an idle connection that the server has closed.
    maxRequeues: 1,
    idleTimeout: SMTP_MS.idle,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: sendTimeoutMs,
  })
  return {
    async send(mail) {
      const message = composed(settings.from, mail)
      const signal = AbortSignal.timeout(sendTimeoutMs)
      try {
        await transporter.sendMail({ ...message, signal })
      } catch (error) {
        throw asFailure(error as SmtpError, sendTimeoutMs)
      }
    },
    close: () => transporter.close(),
  }
}

/** nodemailer's options for an SMTP URL. Throws an Error with one line if the URL is not valid. */
export function serverOf(url: string) {
  const parsed = new URL(url)
  const host = withoutBrackets(parsed.hostname)
  const secure = parsed.protocol === 'smtps:'
  const user = decodeURIComponent(parsed.username)
  const pass = decodeURIComponent(parsed.password)
  const auth = user === '' && pass === '' ? null : { user, pass }
  const options = optionsOf(parsed.searchParams)
  // Never sends a password unencrypted, even if an attacker removes STARTTLS from the server's reply.
  const requireTLS = options.requireTLS ?? (auth !== null && !secure && !isLoopback(host))
  // Opportunistic encryption protects against passive listeners only, so it needs no valid certificate.
  const verified = options.rejectUnauthorized ?? (!isLoopback(host) && (secure || requireTLS))
  return {
    host,
    port: Number(parsed.port) || (secure ? 465 : 587),
    secure,
    requireTLS,
    tls: {
      rejectUnauthorized: verified,
      minVersion: 'TLSv1.2' as const,
      ...(options.servername === null ? {} : { servername: options.servername }),
    },
    ...(auth === null ? {} : { auth }),
    ...(options.name === null ? {} : { name: options.name }),
  }
}

function optionsOf(parameters: URLSearchParams) {
  const known = ['requireTLS', 'tls.rejectUnauthorized', 'tls.servername', 'name']
  for (const name of parameters.keys())
    if (!known.includes(name))
      throw new Error(`SMTP_URL has the unknown option "${name}"; the options are: ${known.join(', ')}.`)
  const flag = (name: string): boolean | null => {
    const value = parameters.get(name)
    if (value !== null && value !== 'true' && value !== 'false')
      throw new Error(`The option ${name} of SMTP_URL is "${value}"; it must be true or false.`)
    return value === null ? null : value === 'true'
  }
  return {
    requireTLS: flag('requireTLS'),
    rejectUnauthorized: flag('tls.rejectUnauthorized'),
    servername: parameters.get('tls.servername'),
    name: parameters.get('name'),
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly permanent?: boolean
}

/**
 * A rejected sender, recipient or message leaves the connection usable, so the cause is the mail. The sender is the
 * same for all mails and is fixed by the operator, so no mail is abandoned because its sender is rejected.
 */
function asFailure(error: SmtpError, sendTimeoutMs: number): SendFailure {
  if (error.code === 'EABORT')
    return new SendFailure('away', `The SMTP server took longer than ${sendTimeoutMs} ms.`, error)
  if ((error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE') || error.responseCode === 421)
    return new SendFailure('away', error.message, error)
  const permanent = error.permanent ?? true
  return new SendFailure(
    permanent && error.command !== 'MAIL FROM' ? 'refused' : 'deferred',
    error.message,
    error,
  )
}

interface FileSettings {
  /** Folder of the .eml files; created if missing, accessible to its owner only. */
  readonly folder: string
  readonly from: string
  readonly log: MailLog
  /** Whether to log codes. Only for a service that listens on loopback. */
  readonly logCodes: boolean
}

export function fileTransport({ folder, from, log, logCodes }: FileSettings): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      if (!/^[A-Za-z0-9-]+$/.test(mail.id))
        throw new SendFailure('refused', 'The id of the mail is not a valid file name.')
      const file = join(folder, `${mail.id}.eml`)
      const { message } = await composer.sendMail(composed(from, mail))
      await writeWhole(folder, file, message as Buffer).catch((error: Error) => {
        throw new SendFailure('away', error.message, error)
      })
      const code = logCodes && mail.code !== null ? { code: mail.code } : {}
      log.info({ mail: mail.id, file, subject: mail.subject, ...code }, 'mail written')
    },
    close: () => composer.close(),
  }
}

/** Writes atomically; a mail written twice, also at once, replaces its file. */
async function writeWhole(folder: string, file: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${file}.${randomUUID()}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

/** Removes the mails that were written too long ago: they hold addresses, names and codes. */
export async function removeOldMails(folder: string): Promise<void> {
  for await (const name of glob('*.{eml,part}', { cwd: folder })) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < Date.now() - MAIL_FILE_MS) await rm(file, { force: true })
  }
}
