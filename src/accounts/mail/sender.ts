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
} from '../../base/limits/operation.ts'
import { polling } from '../../base/polling.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type ClaimedMail, claimMails, isDecoy, openMail, settleMail } from './outbox.ts'
import { type MailLog, type MailTransport, SendFailure, type SendTrouble } from './transport.ts'

export interface Sender {
  /** Reads the outbox now. */
  wake(): void
  /** Leases no more mails; resolves when those in flight are recorded and the transport is closed. */
  stop(): Promise<void>
}

export interface SenderParts {
  readonly store: Runner
  readonly vault: Pick<Vault, 'open'>
  readonly transport: MailTransport
  readonly log: MailLog
  readonly concurrent?: number
  /** Must exceed the time limit of one send. */
  readonly leaseMs?: number
  /** Interval of polling for mails that other processes queued or that are due again. */
  readonly pollMs?: number
  readonly random?: () => number
  readonly backoff?: Backoff
}

/** The bounds of pauses in milliseconds. */
interface Backoff {
  readonly least: number
  readonly most: number
}

export function startSender(parts: SenderParts): Sender {
  const { store, transport, log, vault } = parts
  const { concurrent = MAILS_AT_ONCE, leaseMs = MAIL_LEASE_MS, pollMs = MAIL_POLL_MS } = parts
  const { random = Math.random, backoff = MAIL_BACKOFF_MS } = parts
  const inFlight = new Set<Promise<void>>()
  const outage = outages((outage) => backoffMs(outage, backoff, random))
  const reading = polling(async () => {
    const wait = outage.leftMs()
    // During an outage one mail at a time probes the server.
    const room = (outage.isOn() ? 1 : concurrent) - inFlight.size
    if (wait <= 0 && room > 0) await sendDue(room)
    return Math.max(wait, pollMs)
  })

  async function sendDue(room: number): Promise<void> {
    try {
      for (const mail of await store.run(claimMails, room, leaseMs)) {
        const work = deliver(mail)
          // The mail is due again when its lease ends.
          .catch((error) => log.warn({ mail: mail.id, err: error }, 'cannot record the outcome of a mail'))
          .finally(() => {
            inFlight.delete(work)
            reading.wake()
          })
        inFlight.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'cannot read the outbox')
    }
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    try {
      if (!isDecoy(mail.to)) {
        await transport.send({ id: mail.id, to: mail.to, ...openMail(vault, mail) })
        outage.end()
      }
    } catch (error) {
      return undelivered(mail, error as Error)
    }
    await store.run(settleMail, mail.id, null, null)
  }

  function undelivered(mail: ClaimedMail, error: Error): Promise<void> {
    // A server may repeat the address, which must not outlast the mail.
    const reason = error.message.replaceAll(mail.to, '<recipient>')
    const trouble = error instanceof SendFailure ? error.trouble : 'deferred'
    if (isOver(trouble, mail)) {
      log.warn({ mail: mail.id, attempt: mail.tries, reason }, 'mail abandoned')
      return store.run(settleMail, mail.id, reason, null)
    }
    const retryInMs = trouble === 'away' ? outage.pause() : backoffMs(mail.tries, backoff, random)
    log.warn({ mail: mail.id, attempt: mail.tries, retryInMs, reason }, 'mail not sent, will retry')
    return store.run(settleMail, mail.id, reason, retryInMs)
  }

  reading.wake()
  return {
    wake: reading.wake,
    async stop() {
      await reading.stop()
      await Promise.all(inFlight)
      transport.close()
    },
  }
}

/** Pauses all sending while the server is away. @param pauseMs the length of a pause after so many consecutive outages */
function outages(pauseMs: (outages: number) => number) {
  let count = 0
  let until = 0
  const leftMs = () => until - performance.now()
  return {
    isOn: () => count > 0,
    leftMs,
    /** Returns the length of the pause. Mails that fail during one do not extend it. */
    pause(): number {
      if (leftMs() <= 0) until = performance.now() + pauseMs(++count)
      return Math.ceil(leftMs())
    },
    end(): void {
      count = 0
      until = 0
    },
  }
}

/** Gives up after three permanent rejections, or five days of temporary ones; never because of an outage. */
const isOver = (trouble: SendTrouble, { ageMs, tries }: ClaimedMail): boolean =>
  (trouble === 'refused' && tries >= MAIL_REFUSALS) || (trouble === 'deferred' && ageMs > MAIL_AGE_MS)

/** Exponential backoff with jitter: between half and all of `least` · 2^(tries − 1), which `most` bounds. */
export function backoffMs(tries: number, { least, most }: Backoff, random: () => number): number {
  const full = Math.min(most, least * 2 ** (tries - 1))
  return Math.round(full * (1 - random() / 2))
}
