/**
 * Sends the mails of the outbox, each once. A mail is sent twice only if the process ends or the connection breaks after
 * the server accepted it and before the database recorded that. Both copies then have the same Message-ID.
 */
import {
  MAIL_AGE_MS,
  MAIL_BACKOFF_MS,
  MAIL_LEASE_MS,
  MAIL_POLL_MS,
  MAIL_REFUSALS,
  MAILS_AT_ONCE,
} from '../limits.ts'
import { isDecoy } from './decoy.ts'
import type { MailText } from './messages.ts'
import type { ClaimedMail } from './outbox.ts'
import { type MailLog, type MailTransport, SendFailure, type SendTrouble } from './transport.ts'

/** The part of the store that the sender uses. Times are durations, so that only the store's clock matters. */
export interface Outbox {
  /**
   * Leases up to `limit` due mails for `leaseMs`, those due longest first, and counts an attempt for each. A mail is due
   * again when its lease ends.
   */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedMail[]>
  /** Records that the mail was sent, and erases its text. */
  sent(id: string): Promise<void>
  /** Records a failed attempt; the mail is due again after `retryInMs`. */
  failed(id: string, error: string, retryInMs: number): Promise<void>
  /** Records that the mail will not be sent, with the reason, and erases its text. */
  abandoned(id: string, error: string): Promise<void>
}

export interface Sender {
  /** Reads the outbox now. */
  wake(): void
  /** Leases no more mails; resolves when those in flight are recorded and the transport is closed. */
  stop(): Promise<void>
}

export interface SenderParts {
  readonly outbox: Outbox
  readonly transport: MailTransport
  /** Decrypts a mail. */
  readonly open: (mail: ClaimedMail) => MailText
  readonly log: MailLog
  readonly concurrent?: number
  /** Must exceed the time limit of one send. */
  readonly leaseMs?: number
  /** Interval of polling for mails that other processes queued or that are due again. */
  readonly pollMs?: number
  readonly random?: () => number
  readonly backoff?: Backoff
}

/** In milliseconds. */
export interface Backoff {
  readonly least: number
  readonly most: number
}

export function startSender(parts: SenderParts): Sender {
  const { outbox, transport, log } = parts
  const { concurrent = MAILS_AT_ONCE, leaseMs = MAIL_LEASE_MS, pollMs = MAIL_POLL_MS } = parts
  const { random = Math.random, backoff = MAIL_BACKOFF_MS } = parts
  const inFlight = new Set<Promise<void>>()
  let stopped = false
  let isReading = false
  let reading: Promise<void> | undefined
  let readAgain = false
  let timer: NodeJS.Timeout | undefined
  /** Consecutive outages. During an outage one mail at a time probes the server. */
  let outages = 0
  let pausedUntil = 0

  const wake = () => {
    readAgain = true
    if (!isReading && !stopped) reading = read()
  }

  async function read(): Promise<void> {
    isReading = true
    while (readAgain && !stopped) {
      readAgain = false
      clearTimeout(timer)
      const wait = pausedUntil - performance.now()
      const room = (outages > 0 ? 1 : concurrent) - inFlight.size
      if (wait <= 0 && room > 0) await sendDue(room)
      if (!stopped) timer = setTimeout(wake, Math.max(wait, pollMs)).unref()
    }
    isReading = false
  }

  async function sendDue(room: number): Promise<void> {
    try {
      for (const mail of await outbox.claim(room, leaseMs)) {
        const work = handle(mail).finally(() => {
          inFlight.delete(work)
          wake()
        })
        inFlight.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'cannot read the outbox')
    }
  }

  async function handle(mail: ClaimedMail): Promise<void> {
    try {
      await deliver(mail)
    } catch (error) {
      // The mail is due again when its lease ends.
      log.warn({ mail: mail.id, err: error }, 'cannot record the outcome of a mail')
    }
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    if (isDecoy(mail.to)) {
      await transport.rehearse({ id: mail.id, to: mail.to, ...parts.open(mail) }).catch(() => undefined)
      return outbox.sent(mail.id)
    }
    try {
      await transport.send({ id: mail.id, to: mail.to, ...parts.open(mail) })
    } catch (error) {
      return undelivered(mail, error as Error)
    }
    outages = 0
    pausedUntil = 0
    await outbox.sent(mail.id)
  }

  function undelivered(mail: ClaimedMail, error: Error): Promise<void> {
    const trouble = error instanceof SendFailure ? error.trouble : 'deferred'
    if (isOver(trouble, mail)) {
      log.warn({ mail: mail.id, attempt: mail.attempt, reason: error.message }, 'mail abandoned')
      return outbox.abandoned(mail.id, error.message)
    }
    const retryInMs = trouble === 'away' ? pause() : backoffMs(mail.attempt, backoff, random)
    log.warn(
      { mail: mail.id, attempt: mail.attempt, retryInMs, reason: error.message },
      'mail not sent, will retry',
    )
    return outbox.failed(mail.id, error.message, retryInMs)
  }

  /** Pauses all sending with exponential backoff. Mails that fail during a pause do not extend it. */
  function pause(): number {
    const now = performance.now()
    if (now >= pausedUntil) pausedUntil = now + backoffMs(++outages, backoff, random)
    return Math.ceil(pausedUntil - now)
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await reading
      await Promise.all(inFlight)
      transport.close()
    },
  }
}

/** Gives up after three permanent rejections, or five days of temporary ones; never because of an outage. */
const isOver = (trouble: SendTrouble, { attempt, ageMs }: ClaimedMail): boolean =>
  (trouble === 'refused' && attempt >= MAIL_REFUSALS) || (trouble === 'deferred' && ageMs > MAIL_AGE_MS)

/** Exponential backoff with jitter: between half and all of `least` · 2^(attempt − 1), which `most` bounds. */
export function backoffMs(attempt: number, { least, most }: Backoff, random: () => number): number {
  const full = Math.min(most, least * 2 ** (attempt - 1))
  return Math.round(full * (1 - random() / 2))
}
