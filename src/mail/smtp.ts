/** Mail through an SMTP server, over a small pool of connections. */
import { createTransport } from 'nodemailer'
import { isLoopback } from '../loopback.ts'
import { composed, type MailTransport, SendFailure } from './transport.ts'

export interface SmtpSettings {
  /**
   * `smtp://` (STARTTLS where the server offers it) or `smtps://`, with `user:password@` where it wants them. After
   * `?`: `requireTLS`, `tls.rejectUnauthorized` (true or false), `tls.servername`, `name` (ours, in EHLO).
   */
  readonly url: string
  readonly from: string
  readonly connections?: number
  readonly connectTimeoutMs?: number
  /** For the whole of one mail, connection included. */
  readonly sendTimeoutMs?: number
}

export function smtpTransport(settings: SmtpSettings): MailTransport {
  const { connections = 4, connectTimeoutMs = 5_000, sendTimeoutMs = 20_000 } = settings
  const transporter = createTransport({
    ...serverOf(settings.url),
    pool: true,
    maxConnections: connections,
    // The outbox tries again; the pool only replaces a connection that died unused.
    maxRequeues: 1,
    idleTimeout: 30_000,
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

/** Throws an Error of one line about a URL that cannot be used. */
export function serverOf(url: string) {
  const parsed = new URL(url)
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  const secure = parsed.protocol === 'smtps:'
  const user = decodeURIComponent(parsed.username)
  const pass = decodeURIComponent(parsed.password)
  const auth = user === '' && pass === '' ? null : { user, pass }
  const options = optionsOf(parsed.searchParams)
  // A password never goes over the network in the clear, whatever a server (or who sits before it) leaves out.
  const requireTLS = options.requireTLS ?? (auth !== null && !secure && !isLoopback(host))
  // Encryption that a server merely offers keeps listeners out; certificates are for what is relied on.
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
      throw new Error(`SMTP_URL has the option "${name}"; it takes: ${known.join(', ')}.`)
  const flag = (name: string): boolean | null => {
    const value = parameters.get(name)
    if (value !== null && value !== 'true' && value !== 'false')
      throw new Error(`The option ${name} of SMTP_URL is "${value}"; it takes true or false.`)
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
 * A refused sender or recipient and a refused message leave the connection well, so they are about the mail. The
 * sender is the same for all mails: a refusal of it is the operator's to mend and gives no mail up.
 */
function asFailure(error: SmtpError, sendTimeoutMs: number): SendFailure {
  if (error.code === 'EABORT')
    return new SendFailure('away', `The SMTP server took longer than ${sendTimeoutMs} ms.`, error)
  if ((error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE') || error.responseCode === 421)
    return new SendFailure('away', error.message, error)
  const forGood = error.permanent ?? true
  return new SendFailure(
    forGood && error.command !== 'MAIL FROM' ? 'refused' : 'deferred',
    error.message,
    error,
  )
}
