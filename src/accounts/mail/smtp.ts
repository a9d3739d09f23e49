/** Mail transport over SMTP, with a small pool of connections. */
import { createTransport } from 'nodemailer'
import { isLoopback, withoutBrackets } from '../../base/host-names.ts'
import { MAILS_AT_ONCE, SMTP_MS } from '../../base/limits/operation.ts'
import { composed, type MailTransport, SendFailure } from './transport.ts'

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
