/**
 * Sends events to endpoints, at least once. Every node has a sender; a delivery that one has claimed is left alone by the others.
 * Each endpoint has its own limit of messages in flight, so that one which does not answer delays no other. Messages are signed by the
 * Standard Webhooks specification: v1 (HMAC-SHA256) and v1a (Ed25519).
 */

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'
import {
  WEBHOOK_BATCH,
  WEBHOOK_POLL_MS,
  WEBHOOK_RETRY_MS,
  WEBHOOKS_AT_ONCE,
} from '../../base/limits/operation.ts'
import { polling } from '../../base/polling.ts'
import { isoTime } from '../../base/time.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Vault } from '../../secrets/vault.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type Endpoint,
  endpoints,
  queueDeliveries,
  recordAttempt,
} from './deliveries.ts'
import { type PostOptions, post } from './post.ts'

interface WebhookParts {
  readonly store: Runner
  readonly vault: Pick<Vault, 'open'>
  readonly post: PostOptions
  readonly log: { warn(facts: object, message: string): void }
  /** Tests set another. */
  readonly pollMs?: number
}

const WEBHOOK_PURPOSE = 'webhook'

/** Returns a function that claims no more deliveries, and resolves when those in flight are recorded. */
export function startWebhooks(parts: WebhookParts): () => Promise<void> {
  const { log, pollMs = WEBHOOK_POLL_MS, store } = parts
  const inFlight = new Map<number, Set<Promise<void>>>()

  /** Returns whether there may be more to send at once. */
  async function look(): Promise<boolean> {
    const present = await store.run(endpoints)
    if (present.length === 0) return false
    let more = (await store.run(queueDeliveries, WEBHOOK_BATCH)) === WEBHOOK_BATCH
    for (const endpoint of present) {
      const messages = inFlight.get(endpoint.id) ?? new Set()
      inFlight.set(endpoint.id, messages)
      const room = WEBHOOKS_AT_ONCE - messages.size
      if (room === 0 || looking.isStopped()) continue
      const claimed = await store.run(claimDeliveries, endpoint.id, room)
      more ||= claimed.length > 0
      for (const delivery of claimed) {
        const work = deliver(parts, endpoint, delivery)
          // The delivery is due again when its lease ends.
          .catch((error) => log.warn({ delivery: delivery.id, err: error }, 'cannot record a webhook'))
          .finally(() => {
            messages.delete(work)
            looking.wake()
          })
        messages.add(work)
      }
    }
    return more
  }

  const looking = polling(async () => {
    const isMore = await look().catch((error) => {
      log.warn({ err: error }, 'cannot read the webhooks')
      return false
    })
    return isMore ? 0 : pollMs
  })
  looking.wake()
  return async () => {
    await looking.stop()
    await Promise.all([...inFlight.values()].flatMap((messages) => [...messages]))
  }
}

async function deliver(parts: WebhookParts, endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
  const { store } = parts
  const status = await send(parts, endpoint, delivery)
  const isDone = status !== null && status >= 200 && status < 300
  const retryInMs = WEBHOOK_RETRY_MS[Math.min(delivery.tries, WEBHOOK_RETRY_MS.length) - 1] ?? 0
  if (!isDone)
    parts.log.warn({ endpoint: endpoint.id, event: delivery.eventId, status }, 'webhook not delivered')
  await store.run(recordAttempt, delivery.id, { isDone, status, retryInMs })
}

/** The id of a message. It contains the time, because a database that was restored from a backup uses event ids again. */
export const messageId = ({ at, eventId }: Pick<ClaimedDelivery, 'at' | 'eventId'>): string =>
  `evt_${eventId}_${at}`

/** The message of an event. Events of the service have no account. */
export const messageOf = ({
  accountId,
  at,
  data,
  type,
}: Pick<ClaimedDelivery, 'accountId' | 'type' | 'data' | 'at'>) => ({
  type,
  timestamp: isoTime(at),
  data: { ...(accountId > 0 && { account_id: accountId }), ...JSON.parse(data) },
})

/** Sends one message; returns the status of the reply. */
export function send(
  { post: options, vault }: Pick<WebhookParts, 'post' | 'vault'>,
  endpoint: Endpoint,
  event: Pick<ClaimedDelivery, 'eventId' | 'accountId' | 'type' | 'data' | 'at'>,
): Promise<number | null> {
  const keys = vault.open(WEBHOOK_PURPOSE, endpoint, [endpoint.uid])
  const body = JSON.stringify(messageOf(event))
  return post(endpoint.url, signedHeaders(keys, messageId(event), Date.now(), body), body, options)
}

/** New signing keys as one text, to be sealed. */
export function newSigningKeys(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return JSON.stringify([randomBytes(32).toString('base64'), pkcs8])
}

/** The keys that the receiver is given: the secret of v1, and the public key of v1a. */
export function receiverKeys(keys: string) {
  const [secret, pkcs8] = parsed(keys)
  const publicKey = createPublicKey(privateKeyOf(pkcs8)).export({ format: 'jwk' }).x!
  return {
    secret: `whsec_${secret}`,
    publicKey: `whpk_${Buffer.from(publicKey, 'base64url').toString('base64')}`,
  }
}

const parsed = (keys: string): [secret: string, pkcs8: string] => JSON.parse(keys)

const privateKeyOf = (pkcs8: string) =>
  createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })

/** The headers of a message. @param atMs the time of this attempt */
function signedHeaders(keys: string, id: string, atMs: number, body: string): Record<string, string> {
  const [secret, pkcs8] = parsed(keys)
  const timestamp = String(Math.floor(atMs / 1_000))
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  const v1 = createHmac('sha256', Buffer.from(secret, 'base64')).update(content).digest('base64')
  const v1a = sign(null, content, privateKeyOf(pkcs8)).toString('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${v1} v1a,${v1a}`,
  }
}
