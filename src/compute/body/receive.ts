/** Receives the bytes of a body within limits; nothing is read before the caller is authenticated. */

import type { IncomingMessage } from 'node:http'
import {
  bodyCutShort,
  bodyTooLarge,
  tooManyLargeBodies,
  tooManyLargeBodiesOfAccount,
} from '../../base/errors/requests.ts'
import {
  BODIES_AT_ONCE,
  BODY_BLOCK_BYTES,
  BODY_BLOCKS,
  LARGE_BODIES_PER_ACCOUNT,
  SMALL_BODY_BYTES,
} from '../../base/limits/callers.ts'
import { refuseMediaType } from './media-type.ts'

/** One request's share of the memory budget for bodies; released when the request is answered. */
export interface Lease {
  /** Throws Failure `body_too_large`, `unsupported_media_type`, or `overloaded` when the budget is used up. */
  receive(request: IncomingMessage, wanted: Wanted): Buffer | Promise<Buffer>
  /** Whether the body is in a block that threads share; then a thread hashes it. */
  isShared(): boolean
  /** To be called if a stopped thread may still use the memory of the body, which is then not reused. */
  abandon(): void
  release(): void
}

export interface Wanted {
  /** Whether the request needs a body, which must then be declared as JSON. */
  readonly required: boolean
  /** Whether the body may also be declared as an Arrow stream. */
  readonly takesArrow?: boolean
  /** Whether a large body is received into a block that threads share, if one is free; its results may be written after it. */
  readonly shared?: boolean
  /** The account that sends the body; each may send only a few large ones at once. */
  readonly owner?: number
  /** A limit below the receiver's own. */
  readonly limitBytes?: number
  /**
   * Called once the head is found acceptable, with the declared length, if there is one. Returns a promise to wait for before
   * anything is received, and nothing is received if it rejects; null: there is nothing to wait for.
   */
  readonly permit?: (declaredBytes: number | null) => Promise<void> | null
  /** Called with every piece as it arrives; the piece's memory is freed afterwards. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined
}

export interface Receiver {
  lease(): Lease
}

/** Bytes that are read from one body in one iteration of the event loop; Node would read up to 2 MiB. */
const ITERATION_BYTES = 128 * 1024
/** Chunks of a body that are read in one turn: a chunk of one byte takes as much time as one of a kilobyte. */
const TURN_PIECES = 256
/** Bodies in small chunks take turns of this time. 256 chunks take about a third of it, including Node's parser. */
const TURN_MS = 2
const NOTHING = Buffer.alloc(0)

export function receiver(limitBytes: number): Receiver {
  const budgetBytes = BODIES_AT_ONCE * limitBytes
  const blocks = blockPool()
  let heldBytes = 0
  const largeBodies = largeBodyCounts()
  const inTurn = turns()
  return {
    lease() {
      let received = 0
      let held = 0
      let countedFor: number | null = null
      let block: SharedArrayBuffer | null = null
      let isAbandoned = false
      const hold = (bytes: number, most: number, owner: number | undefined): void => {
        received += bytes
        if (received > most) throw bodyTooLarge(most)
        const more = Math.max(0, received - SMALL_BODY_BYTES) - held
        if (heldBytes + more > budgetBytes) throw tooManyLargeBodies()
        if (more > 0 && owner !== undefined && countedFor === null) {
          largeBodies.add(owner)
          countedFor = owner
        }
        held += more
        heldBytes += more
      }
      return {
        receive(request, wanted) {
          const { onBytes, owner, permit, required, takesArrow } = wanted
          const most = Math.min(wanted.limitBytes ?? limitBytes, limitBytes)
          const declared = request.headers['content-length']
          const empty = declared === '0' || (declared === undefined && !request.headers['transfer-encoding'])
          if (empty) return NOTHING
          if (declared !== undefined && Number(declared) > most) throw bodyTooLarge(most)
          if (required) refuseMediaType(request.headers, { takesArrow })
          const take = (bytes: Buffer): void => {
            hold(bytes.length, most, owner)
            onBytes?.(bytes)
          }
          const room = (): Buffer => {
            const bytes = Number(declared ?? 0)
            if (wanted.shared && bytes > SMALL_BODY_BYTES && bytes <= BODY_BLOCK_BYTES)
              block ??= blocks.take()
            return block === null ? NOTHING : Buffer.from(block, 0, bytes)
          }
          const read = () => {
            if (request.destroyed) throw bodyCutShort()
            // A small body arrives together with its head, and is already buffered.
            const whole: Buffer | null = request.complete ? request.read() : null
            if (whole === null) return readAll(request, Number(declared ?? 0), room(), take, inTurn)
            take(whole)
            return whole
          }
          const permitted = permit?.(declared === undefined ? null : Number(declared)) ?? null
          return permitted === null ? read() : permitted.then(read)
        },
        isShared: () => block !== null,
        abandon() {
          isAbandoned = true
        },
        release() {
          heldBytes -= held
          held = 0
          if (block !== null) blocks.giveBack(isAbandoned ? null : block)
          block = null
          if (countedFor !== null) largeBodies.remove(countedFor)
          countedFor = null
        },
      }
    },
  }
}

/** The large bodies of each account that are in memory. */
function largeBodyCounts() {
  const counts = new Map<number, number>()
  return {
    /** Throws Failure `overloaded`. */
    add(owner: number): void {
      const bodies = (counts.get(owner) ?? 0) + 1
      if (bodies > LARGE_BODIES_PER_ACCOUNT) throw tooManyLargeBodiesOfAccount(LARGE_BODIES_PER_ACCOUNT)
      counts.set(owner, bodies)
    },
    remove(owner: number): void {
      const left = counts.get(owner)! - 1
      if (left === 0) counts.delete(owner)
      else counts.set(owner, left)
    },
  }
}

/** Returns the function that reads on once it is the turn of a body in small chunks. */
function turns(): (readOn: () => void) => void {
  let nextTurnAt = 0
  return (readOn) => {
    const now = performance.now()
    nextTurnAt = Math.max(now, nextTurnAt) + TURN_MS
    setTimeout(readOn, nextTurnAt - now)
  }
}

/**
 * Reads a body to its end. If it is refused, the rest is discarded, so that the caller can receive the reply. Pieces are
 * copied together as they arrive, because joining megabytes at the end would block the event loop.
 */
const readAll = (
  request: IncomingMessage,
  declaredBytes: number,
  room: Buffer,
  onBytes: (bytes: Buffer) => void,
  inTurn: (readOn: () => void) => void,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let gathered = room
    let length = 0
    let iterationBytes = 0
    let pieces = 0
    const readOn = () => request.resume()
    const yieldToOthers = (): void => {
      request.pause()
      if (pieces < TURN_PIECES) setImmediate(readOn)
      else inTurn(readOn)
      iterationBytes = 0
      pieces = 0
    }
    const onData = (bytes: Buffer): void => {
      try {
        onBytes(bytes)
        const isWhole = gathered.length === 0 && bytes.length >= declaredBytes
        gathered = isWhole ? bytes : appended(gathered, length, bytes, declaredBytes)
        length += bytes.length
        iterationBytes += bytes.length
        pieces += 1
        if (!isWhole) free(bytes)
        if (iterationBytes >= ITERATION_BYTES || pieces === TURN_PIECES) yieldToOthers()
      } catch (error) {
        // The listeners, which hold the bytes, exist until the connection ends.
        gathered = NOTHING
        request.off('data', onData).resume()
        reject(error)
      }
    }
    const onCut = (error?: Error): void => {
      if (request.readableEnded) return
      reject(bodyCutShort(error))
    }
    request
      .on('data', onData)
      .once('end', () => {
        resolve(gathered.length === length ? gathered : gathered.subarray(0, length))
      })
      .once('error', onCut)
      .once('close', onCut)
  })

/** Appends bytes to a buffer of the declared size, or one that doubles. The system provides its memory only as it fills. */
function appended(gathered: Buffer, length: number, bytes: Buffer, declaredBytes: number): Buffer {
  const needed = length + bytes.length
  let target = gathered
  if (needed > gathered.length) {
    target = Buffer.allocUnsafeSlow(Math.max(declaredBytes, 2 * gathered.length, needed))
    gathered.copy(target, 0, 0, length)
  }
  // fill(), because copy() goes byte by byte in shared memory.
  target.fill(bytes, length, needed)
  return target
}

/** Frees the memory of a piece that has a buffer of its own: megabytes of garbage would start a garbage collection. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/**
 * Blocks of memory that the event loop shares with threads. They are reused, because the system takes longer to provide fresh
 * memory than the service to fill it.
 */
function blockPool() {
  const idle: SharedArrayBuffer[] = []
  let inUse = 0
  return {
    /**
     * Returns a block, which may hold bytes of earlier requests: only what was written may be read. null: all are in use.
     */
    take(): SharedArrayBuffer | null {
      if (inUse === BODY_BLOCKS) return null
      inUse += 1
      // The system commits its memory only as it fills.
      return idle.pop() ?? new SharedArrayBuffer(BODY_BLOCK_BYTES)
    },
    /** @param block null: it must not be used again */
    giveBack(block: SharedArrayBuffer | null): void {
      inUse -= 1
      if (block !== null) idle.push(block)
    },
  }
}
