/** The Idempotency-Key of a request, bound to its method, path and body by a hash. */

import { createHash } from 'node:crypto'
import { idempotencyKeyRefused } from '../../base/errors/requests.ts'
import { IDEMPOTENCY_KEY_CHARACTERS } from '../../base/limits/callers.ts'
import type { Call } from '../rules/types.ts'

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_CHARACTERS}}$`)

/** Hashes a request while its body arrives. @param allowed the paths that the calls of a batch may name; null: all */
export function idempotentRequest(
  key: string,
  method: string,
  path: string,
  allowed: ReadonlySet<string> | null,
) {
  const hash = createHash('sha256').update(`${method} ${path}\n`)
  // Otherwise another key of the account, which may call more paths, could repeat a batch and get the rest without a charge.
  if (allowed !== null) hash.update(`${[...allowed].sort().join(' ')}\n`)
  return {
    key,
    /** Adds a piece of the body to the hash. */
    update: (bytes: Buffer) => hash.update(bytes),
    /** The key with the hash of all that was added. Throws Failure `invalid_input` if the key is malformed. */
    bound(): NonNullable<Call['idempotency']> {
      if (!VISIBLE.test(key)) throw idempotencyKeyRefused()
      return { key, requestHash: hash.digest('hex') }
    },
  }
}
