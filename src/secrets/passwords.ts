/** Passwords as argon2id hashes, made and checked a few at a time so that nothing else is starved. */
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { boundedQueue } from '../bounded-queue.ts'
import { Failure } from '../errors.ts'

export const PASSWORD_LENGTH = { least: 8, most: 128 }

/** OWASP's second choice for argon2id (Password Storage Cheat Sheet, 2023); the algorithm's number is argon2id's. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export interface Passwords {
  /**
   * Hash of a new password, as PHC text. `path` points at the field in the body.
   * Throws Failure `invalid_input` (length) or `overloaded`.
   */
  hash(password: string, path?: string): Promise<string>
  /** Whether the password is the hash's; with null it takes the same time and is false. Throws Failure `overloaded`. */
  verify(hash: string | null, password: string): Promise<boolean>
}

/**
 * `concurrent` hashings run at once, each with 19 MiB and a thread of libuv's pool (four, which files and name
 * look-ups need too); `waiting` more may queue.
 */
export function createPasswords({ concurrent = 2, waiting = 200 } = {}): Passwords {
  const queue = boundedQueue({ concurrent, waiting, onFull: overloaded })
  const nobody = unmatchableHash()
  return {
    async hash(password, path = '/password') {
      const normal = normalise(password)
      refuseLength(normal, path)
      return queue(() => hash(normal, COST))
    },
    async verify(known, password) {
      const normal = normalise(password)
      const right = await queue(() => verify(known ?? nobody, normal))
      return right && known !== null
    },
  }
}

/** The same keys pressed on two systems give one text (Unicode's NFKC). */
const normalise = (password: string): string => password.normalize('NFKC')

function refuseLength(password: string, path: string): void {
  const length = [...password].length
  if (length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most) return
  const rule = `must have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`
  throw new Failure('invalid_input', `The password ${rule}.`, { details: [{ path, message: rule }] })
}

/** A hash of no known password that costs as much to check as a real one. */
function unmatchableHash(): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${text(16)}$${text(32)}`
}

const overloaded = (): Failure =>
  new Failure('overloaded', 'Too many passwords are being checked at once; try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
