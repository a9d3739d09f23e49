/** Step 2: the bytes of the body, within limits; nothing is read for a caller who was not let in. */
import type { IncomingMessage } from 'node:http'
import { Failure } from '../errors.ts'
import { silenceWatch } from './silence.ts'

/** What one request holds of the budget that all bodies share; released when the request is answered. */
export interface Lease {
  /**
   * Throws Failure `body_too_large`, `unsupported_media_type`, or `overloaded` when the budget is used up.
   */
  receive(request: IncomingMessage, wanted: Wanted): Buffer | Promise<Buffer>
  release(): void
}

export interface Wanted {
  /** Whether the request needs a body: then it must be declared as JSON. */
  readonly required: boolean
  /** The account whose request it is: none may have more than a few large bodies under way. */
  readonly owner?: number
  /** Where less is taken than the receiver takes. */
  readonly limitBytes?: number
  /** Sees every piece as it arrives; its memory is freed afterwards. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined
}

export interface Receiver {
  lease(): Lease
}

/** All bodies under way together may hold this many times the limit of one … */
const BODIES_AT_ONCE = 16
/** … beyond a first part of each: a few large bodies cannot keep the small ones out. */
const FREE_BYTES = 64 * 1024
const LARGE_BODIES_PER_ACCOUNT = 4
/** A body of which nothing arrives for so long is given up. */
const SILENCE_MS = 10_000
const bodies = silenceWatch(SILENCE_MS)
/** Of one body so much is read before others have their turn: Node would read 2 MiB at a stretch. */
const TURN_BYTES = 128 * 1024
const NOTHING = Buffer.alloc(0)

export function receiver(limitBytes: number): Receiver {
  const budgetBytes = BODIES_AT_ONCE * limitBytes
  let heldBytes = 0
  const largeBodies = new Map<number, number>()
  return {
    lease() {
      let received = 0
      let held = 0
      let countedFor: number | null = null
      const countLarge = (owner: number): void => {
        const bodies = (largeBodies.get(owner) ?? 0) + 1
        if (bodies > LARGE_BODIES_PER_ACCOUNT) throw tooManyLarge()
        largeBodies.set(owner, bodies)
        countedFor = owner
      }
      const hold = (bytes: number, most: number, owner: number | undefined): void => {
        received += bytes
        if (received > most) throw tooLarge(most)
        const more = Math.max(0, received - FREE_BYTES) - held
        if (heldBytes + more > budgetBytes) throw budgetUsedUp()
        if (more > 0 && owner !== undefined && countedFor === null) countLarge(owner)
        held += more
        heldBytes += more
      }
      return {
        receive(request, { limitBytes: own = limitBytes, onBytes, owner, required }) {
          const most = Math.min(own, limitBytes)
          const declared = request.headers['content-length']
          const empty = declared === '0' || (declared === undefined && !request.headers['transfer-encoding'])
          if (empty) return NOTHING
          if (declared !== undefined && Number(declared) > most) throw tooLarge(most)
          if (required) refuseMediaType(request)
          if (request.destroyed) throw cutShort()
          const take = (bytes: Buffer): void => {
            hold(bytes.length, most, owner)
            onBytes?.(bytes)
          }
          // A small body came with its head, and waits to be taken.
          const whole: Buffer | null = request.complete ? request.read() : null
          if (whole === null) return readAll(request, Number(declared ?? 0), take)
          take(whole)
          return whole
        },
        release() {
          heldBytes -= held
          held = 0
          if (countedFor === null) return
          const left = largeBodies.get(countedFor)! - 1
          if (left === 0) largeBodies.delete(countedFor)
          else largeBodies.set(countedFor, left)
          countedFor = null
        },
      }
    },
  }
}

/**
 * Reads to the end; what comes after a refusal is drained unread, so that the refusal reaches its caller. A body
 * in several pieces is gathered as they arrive: joining megabytes at the end would hold everybody up,
 * and so would reading them at a stretch.
 */
const readAll = (
  request: IncomingMessage,
  declaredBytes: number,
  onBytes: (bytes: Buffer) => void,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let gathered: Buffer = NOTHING
    let length = 0
    let turnBytes = 0
    bodies.heard(request.socket)
    const giveWay = (): void => {
      turnBytes = 0
      request.pause()
      setImmediate(() => request.resume())
    }
    const onData = (bytes: Buffer): void => {
      bodies.heard(request.socket)
      try {
        onBytes(bytes)
        const isWhole = length === 0 && bytes.length >= declaredBytes
        gathered = isWhole ? bytes : appended(gathered, length, bytes, declaredBytes)
        length += bytes.length
        turnBytes += bytes.length
        if (!isWhole) letGo(bytes)
        if (turnBytes >= TURN_BYTES) giveWay()
      } catch (error) {
        bodies.ended(request.socket)
        // The connection may stay for a while, and what listens to it with it.
        gathered = NOTHING
        request.off('data', onData).resume()
        reject(error)
      }
    }
    const onCut = (error?: Error): void => {
      if (request.readableEnded) return
      bodies.ended(request.socket)
      reject(cutShort(error))
    }
    request
      .on('data', onData)
      .once('end', () => {
        bodies.ended(request.socket)
        resolve(gathered.length === length ? gathered : gathered.subarray(0, length))
      })
      .once('error', onCut)
      .once('close', onCut)
  })

/** Copies into a buffer that is as large as declared, or doubles. Its memory is only taken up as it fills. */
function appended(gathered: Buffer, length: number, bytes: Buffer, declaredBytes: number): Buffer {
  const needed = length + bytes.length
  let target = gathered
  if (needed > gathered.length || length === 0) {
    target = Buffer.allocUnsafeSlow(Math.max(declaredBytes, 2 * gathered.length, needed))
    gathered.copy(target, 0, 0, length)
  }
  bytes.copy(target, length)
  return target
}

/** Frees a piece's memory: megabytes that wait for the collector make it start. Left alone is what shares a buffer. */
function letGo({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

const budgetUsedUp = () =>
  new Failure('overloaded', 'Too many large requests are being received; try again shortly.', {
    retryAfterSeconds: 1,
  })

const tooManyLarge = () =>
  new Failure(
    'overloaded',
    'This account has several large requests under way; send the next when one is answered.',
    { retryAfterSeconds: 1 },
  )

const tooLarge = (limitBytes: number) =>
  new Failure('body_too_large', `The body is over ${limitBytes} bytes; send less at a time.`)

const cutShort = (cause?: unknown) =>
  new Failure('invalid_json', 'The connection ended before the body did; send it again.', { cause })

function refuseMediaType({ headers }: IncomingMessage): void {
  if (headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined) return
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw new Failure('unsupported_media_type', 'Compressed bodies are not taken; send the JSON as it is.')
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new Failure('unsupported_media_type', 'Bodies must be UTF-8; encode the JSON as UTF-8.')
  if (type !== 'application/json')
    throw new Failure(
      'unsupported_media_type',
      'The body must be JSON: send the header "Content-Type: application/json".',
    )
}
