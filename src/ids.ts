/** Identifiers that sort by the time they were made. */
import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 10 * 1024
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** A UUID of version 7 (RFC 9562, section 5.7): 48 bits of epoch milliseconds, 74 random bits. */
export function uuidv7(nowMs: number = Date.now()): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.toString('hex', used, used + 10)
  used += 10
  const time = nowMs.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(random[4]!, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`
}
