/** Step 2: the bytes of the body, within limits; nothing is read for a caller who was not let in. */
import type { IncomingMessage } from 'node:http'
import { Failure } from '../errors.ts'

/** What one request holds of the budget that all bodies share; released when the request is answered. */
export interface Lease {
  /**
   * @param required whether the request needs a body: then it must be declared as JSON
   * @param onBytes sees every piece as it arrives
   * Throws Failure `body_too_large`, `unsupported_media_type`, or `overloaded` when the budget is used up.
   */
  receive(request: IncomingMessage, required: boolean, onBytes?: (bytes: Buffer) => void): Promise<Buffer>
  release(): void
}

export interface Receiver {
  lease(): Lease
}

/** All bodies under way together may hold this many times the limit of one. */
const BODIES_AT_ONCE = 16
const NOTHING = Buffer.alloc(0)

export function receiver(limitBytes: number): Receiver {
  const budgetBytes = BODIES_AT_ONCE * limitBytes
  let heldBytes = 0
  return {
    lease() {
      let held = 0
      const hold = (bytes: number): void => {
        if (heldBytes + bytes > budgetBytes) throw budgetUsedUp()
        held += bytes
        heldBytes += bytes
        if (held > limitBytes) throw tooLarge(limitBytes)
      }
      return {
        async receive(request, required, onBytes = () => undefined) {
          const declared = request.headers['content-length']
          const empty = declared === '0' || (declared === undefined && !request.headers['transfer-encoding'])
          if (empty) return NOTHING
          if (declared !== undefined && Number(declared) > limitBytes) throw tooLarge(limitBytes)
          if (required) refuseMediaType(request)
          return await readAll(request, Number(declared ?? 0), (bytes) => {
            hold(bytes.length)
            onBytes(bytes)
          })
        },
        release() {
          heldBytes -= held
          held = 0
        },
      }
    },
  }
}

/**
 * Reads to the end; what comes after a refusal is drained unread, so that the refusal reaches its caller. A body
 * in several pieces is gathered as they arrive: joining megabytes at the end would hold everybody up.
 */
const readAll = (
  request: IncomingMessage,
  declaredBytes: number,
  onBytes: (bytes: Buffer) => void,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let gathered: Buffer = NOTHING
    let length = 0
    const onData = (bytes: Buffer): void => {
      try {
        onBytes(bytes)
        if (length === 0 && bytes.length >= declaredBytes) gathered = bytes
        else gathered = appended(gathered, length, bytes, declaredBytes)
        length += bytes.length
      } catch (error) {
        request.off('data', onData).resume()
        reject(error)
      }
    }
    const onCut = (error?: Error): void => {
      if (!request.complete) reject(cutShort(error))
    }
    request
      .on('data', onData)
      .once('end', () => resolve(gathered.length === length ? gathered : gathered.subarray(0, length)))
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

const budgetUsedUp = () =>
  new Failure('overloaded', 'Too many large requests are being received; try again shortly.', {
    retryAfterSeconds: 1,
  })

const tooLarge = (limitBytes: number) =>
  new Failure('body_too_large', `The body is over ${limitBytes} bytes; send less at a time.`)

const cutShort = (cause: unknown) =>
  new Failure('invalid_json', 'The connection ended before the body did; send it again.', { cause })

function refuseMediaType({ headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw new Failure('unsupported_media_type', 'Compressed bodies are not taken; send the JSON as it is.')
  if (type !== 'application/json')
    throw new Failure(
      'unsupported_media_type',
      'The body must be JSON: send the header "Content-Type: application/json".',
    )
}
