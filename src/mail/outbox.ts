/**
 * Sends what is in the outbox: every mail leaves once. It may leave twice in one case: when the process dies, or the
 * connection breaks, after the server took the mail and before that was noted. Both copies carry one Message-ID.
 */
import type { Sealed } from '../store/store.ts'
import type { MailText } from './messages.ts'
import { type MailLog, type MailTransport, SendFailure, type SendTrouble } from './transport.ts'

/** A mail as it waits: its text is encrypted. */
export interface QueuedMail extends Sealed {
  readonly id: string
  readonly to: string
  /** 1 the first time it is claimed. */
  readonly attempt: number
  /** How long it has waited, on the store's clock. */
  readonly ageMs: number
}

/** What the sender asks of the store. Times are durations, so that the store's clock alone counts. */
export interface Outbox {
  /**
   * Takes up to `limit` mails that are due, those due longest first, and hides them from every sender for `leaseMs`; counts an
   * attempt. A lease that ran out makes its mail due again.
   */
  claim(limit: number, leaseMs: number): Promise<readonly QueuedMail[]>
  /** The mail is out: its text is erased. */
  sent(id: string): Promise<void>
  /** Not yet: it is due again after `retryInMs`. */
  failed(id: string, error: string, retryInMs: number): Promise<void>
  /** Given up: its text is erased, the reason kept. */
  abandoned(id: string, error: string): Promise<void>
}

export interface Sender {
  /** Looks for due mails at once. */
  wake(): void
  /** Takes no more mails, and resolves when those in flight are settled and the transport is closed. */
  stop(): Promise<void>
}

export interface SenderParts {
  readonly outbox: Outbox
  readonly transport: MailTransport
  /** Decrypts a mail. */
  readonly open: (mail: QueuedMail) => MailText
  readonly log: MailLog
  readonly concurrent?: number
  /** Longer than a send may take. */
  readonly leaseMs?: number
  /** Between looks for mails that other processes queued or that are due again. */
  readonly pollMs?: number
  readonly random?: () => number
  readonly backoff?: Backoff
}

export interface Backoff {
  readonly leastMs: number
  readonly mostMs: number
}

/** A minute at most: after an outage of whatever length the mails leave within that minute. */
const BACKOFF: Backoff = { leastMs: 1_000, mostMs: 60_000 }
/** A refusal for good is now and then a server's mistake. */
const REFUSALS = 3
/** As long as RFC 5321, section 4.5.4.1, asks a sender to keep trying. */
const MOST_AGE_MS = 5 * 86_400_000

export function startSender(parts: SenderParts): Sender {
  const { outbox, transport, log } = parts
  const { concurrent = 4, leaseMs = 60_000, pollMs = 1_000, random = Math.random, backoff = BACKOFF } = parts
  const inFlight = new Set<Promise<void>>()
  let stopped = false
  let isLooking = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  /** Times in a row that nothing could be sent; while there are any, one mail at a time probes the server. */
  let outages = 0
  let quietUntil = 0

  const wake = () => {
    lookAgain = true
    if (!isLooking && !stopped) looking = look()
  }

  async function look(): Promise<void> {
    isLooking = true
    while (lookAgain && !stopped) {
      lookAgain = false
      clearTimeout(timer)
      const wait = quietUntil - performance.now()
      const room = (outages > 0 ? 1 : concurrent) - inFlight.size
      if (wait <= 0 && room > 0) await take(room)
      if (!stopped) timer = setTimeout(wake, Math.max(wait, pollMs)).unref()
    }
    isLooking = false
  }

  async function take(room: number): Promise<void> {
    try {
      for (const mail of await outbox.claim(room, leaseMs)) {
        const work = handle(mail).finally(() => {
          inFlight.delete(work)
          wake()
        })
        inFlight.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'the outbox cannot be read')
    }
  }

  async function handle(mail: QueuedMail): Promise<void> {
    try {
      await deliver(mail)
    } catch (error) {
      // Its lease brings the mail back.
      log.warn({ mail: mail.id, err: error }, 'the outcome of a mail cannot be noted')
    }
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    try {
      await transport.send({ id: mail.id, to: mail.to, ...parts.open(mail) })
    } catch (error) {
      return undelivered(mail, error as Error)
    }
    outages = 0
    quietUntil = 0
    await outbox.sent(mail.id)
  }

  function undelivered(mail: QueuedMail, error: Error): Promise<void> {
    const trouble = error instanceof SendFailure ? error.trouble : 'deferred'
    if (isOver(trouble, mail)) {
      log.warn({ mail: mail.id, attempt: mail.attempt, reason: error.message }, 'mail given up')
      return outbox.abandoned(mail.id, error.message)
    }
    const retryInMs = trouble === 'away' ? pause() : backoffMs(mail.attempt, backoff, random)
    log.warn({ mail: mail.id, attempt: mail.attempt, retryInMs, reason: error.message }, 'mail not sent yet')
    return outbox.failed(mail.id, error.message, retryInMs)
  }

  /** Leaves the server in peace for a while, longer each time; mails that failed side by side count as one time. */
  function pause(): number {
    const now = performance.now()
    if (now >= quietUntil) quietUntil = now + backoffMs(++outages, backoff, random)
    return Math.ceil(quietUntil - now)
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await Promise.all(inFlight)
      transport.close()
    },
  }
}

/** Refusals for good are tried a few times; a mail is too old after five days, but not because the server was away. */
const isOver = (trouble: SendTrouble, { attempt, ageMs }: QueuedMail): boolean =>
  (trouble === 'refused' && attempt >= REFUSALS) || (trouble === 'deferred' && ageMs > MOST_AGE_MS)

/** Doubles with each attempt up to the most, then takes off up to half, so that mails do not come back in step. */
export function backoffMs(attempt: number, { leastMs, mostMs }: Backoff, random: () => number): number {
  const full = Math.min(mostMs, leastMs * 2 ** (attempt - 1))
  return Math.round(full * (1 - random() / 2))
}
