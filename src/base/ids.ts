/** Identifiers that sort by their time of creation. */
import { randomFillSync } from 'node:crypto'

/** Random bytes are drawn many at once and kept as hexadecimal digits. */
const POOL_BYTES = 10 * 1024
const DIGITS = 19
const pool = Buffer.alloc(POOL_BYTES)
let digits = ''
let used = 0

/** The first digits of an identifier, which are the same within a millisecond. */
let stamp = ''
let stampedMs = -1

/** A UUID of version 7 (RFC 9562, section 5.7): 48 bits of epoch milliseconds, 74 random bits. */
export function uuidv7(nowMs: number = Date.now()): string {
  if (used + DIGITS > digits.length) {
    digits = randomFillSync(pool).toString('hex')
    used = 0
  }
  const random = digits.slice(used, used + DIGITS)
  used += DIGITS
  if (nowMs !== stampedMs) {
    const time = nowMs.toString(16).padStart(12, '0')
    stamp = `${time.slice(0, 8)}-${time.slice(8)}-7`
    stampedMs = nowMs
  }
  const variant = '89ab'[Number.parseInt(random[0], 16) & 3]
  return `${stamp}${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7)}`
}

const VERSION_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The time in a UUID of version 7, in epoch milliseconds; null: the text is no such UUID. */
export function timeOfId(text: string): number | null {
  const [, high, low] = VERSION_7.exec(text) ?? []
  return high === undefined ? null : Number.parseInt(high + low!, 16)
}
