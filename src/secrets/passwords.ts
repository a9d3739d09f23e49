/** Hashes and verifies passwords with argon2id, a few at a time so that other work is not delayed. */

import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { boundedQueue } from '../bounded-queue.ts'
import { passwordRefused, tooManyPasswords } from '../errors.ts'
import { PASSWORD_CHARACTERS, PASSWORD_HASHES } from '../limits.ts'
import { isFrequent } from './frequent-passwords.ts'

/** The second argon2id configuration of OWASP's Password Storage Cheat Sheet (2023); algorithm 2 is argon2id. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type PasswordCost = typeof COST

export interface Passwords {
  /**
   * Returns the hash of a new password as a PHC string. `path` is the JSON pointer of its field, for the failure.
   * Throws Failure `invalid_input` (length, or a common password) or `overloaded`.
   */
  hash(password: string, path?: string): Promise<string>
  /** Whether the password matches; a null hash costs the same time and never matches. Throws Failure `overloaded`. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** The hash of an account without a password: none matches it. */
  unusable(): string
}

/**
 * At most `concurrent` hashes run at a time, each with 19 MiB and one of the four threads of libuv's pool, which file
 * access and DNS lookups also use. At most `waiting` more are queued.
 * @param cost only tests lower it
 */
export function createPasswords(
  { concurrent, waiting } = PASSWORD_HASHES,
  cost: PasswordCost = COST,
): Passwords {
  const queue = boundedQueue({ concurrent, waiting, onFull: tooManyPasswords })
  const nobody = unmatchableHash(cost)
  return {
    async hash(password, path = '/password') {
      const normal = normalise(password)
      refuseLength(normal, path)
      if (isFrequent(normal))
        throw passwordRefused('is one of the most common passwords; choose another', path)
      return queue(() => hash(normal, cost))
    },
    async verify(known, password) {
      const normal = normalise(password)
      const right = await queue(() => verify(known ?? nobody, normal))
      return right && known !== null
    },
    unusable: () => unmatchableHash(cost),
  }
}

/** NFKC, so that the same password typed on different systems gives the same text. */
const normalise = (password: string): string => password.normalize('NFKC')

function refuseLength(password: string, path: string): void {
  const length = [...password].length
  if (length >= PASSWORD_CHARACTERS.least && length <= PASSWORD_CHARACTERS.most) return
  throw passwordRefused(
    `must have ${PASSWORD_CHARACTERS.least} to ${PASSWORD_CHARACTERS.most} characters`,
    path,
  )
}

/** A random hash that no known password matches and that costs as much to verify as a real one. */
function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${text(16)}$${text(32)}`
}
