/** Signatures of webhooks by the Standard Webhooks specification: v1 (HMAC-SHA256) and v1a (Ed25519). */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'

/** The keys that the receiver is given: the secret of v1, and the public key of v1a. */
export interface ReceiverKeys {
  readonly secret: string
  readonly publicKey: string
}

/** New signing keys as one text, to be sealed. */
export function newSigningKeys(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return JSON.stringify([randomBytes(32).toString('base64'), pkcs8])
}

export function receiverKeys(keys: string): ReceiverKeys {
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
export function signedHeaders(keys: string, id: string, atMs: number, body: string): Record<string, string> {
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
