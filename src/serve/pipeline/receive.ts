/** Step 2: receives the body, as long as its caller can pay for it. */
import { createHash } from 'node:crypto'
import { idempotencyKeyRefused } from '../../base/errors/requests.ts'
import { Failure, type FailureCode } from '../../base/failure.ts'
import { IDEMPOTENCY_KEY_CHARACTERS, SMALL_BODY_BYTES } from '../../base/limits/callers.ts'
import { acceptsArrow, isArrow } from '../../compute/body/media-type.ts'
import type { Lease } from '../../compute/body/receive.ts'
import { refuseUnknownParameters } from '../../compute/body/validate.ts'
import type { Computation } from '../../compute/computation.ts'
import { JSON_WIRE, type Wire } from '../../compute/result.ts'
import type { Spent } from '../../compute/threads/event-loop-shares.ts'
import type { Call } from '../../ledger/rules/types.ts'
import type { Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import { bytesOf, isArriving } from '../../protocol/input.ts'
import { isShort } from '../../wire/proofs/content.ts'
import { digest } from '../../wire/proofs/hash.ts'
import { type Means, peek } from './admit.ts'

/** A request to a computation. */
export interface Asked {
  readonly pipeline: Pipeline
  readonly computation: Computation
  readonly incoming: Incoming
}

/** A request of a known caller, with its body or the reason why none could be received. */
export interface Request {
  readonly incoming: Incoming
  readonly caller: Caller
  readonly idempotency: Call['idempotency']
  readonly body: Buffer | Failure
  /** SHA-256 of the body, hexadecimal; null: the body is short, was not received, or is hashed by a thread. */
  readonly digest: string | null
  readonly wire: Wire
  readonly lease: Lease
  /** Whether a `peek` preceded the receipt of the body. */
  readonly isPeeked: boolean
  /** The processor time that computing it has used so far. */
  readonly spent: Spent
}

/** Failures of the service, which are not counted as the caller's: no room for the body, or no answer of the ledger to `peek`. */
const NOT_ENTERED: ReadonlySet<FailureCode> = new Set(['overloaded', 'unavailable'])

/**
 * A faulty request is counted like any other; one that the service had no room for, or that was cut off, is not.
 * Throws Refused where the caller cannot pay for the body.
 */
export async function receive({ computation, incoming, pipeline }: Asked, caller: Caller): Promise<Request> {
  const { headers, method, path, query } = incoming
  const lease = pipeline.receiver.lease()
  const wire = wireOf(computation, incoming)
  // The metadata of an Arrow stream has the number of its rows.
  const counter = wire.body === 'arrow' ? null : (computation.counter?.() ?? null)
  let means: Means | null = null
  // A small body is hashed as a whole.
  const hash = isSmall(declaredBytesOf(incoming)) ? null : createHash('sha256')
  const received = (body: Buffer | Failure, idempotency: Call['idempotency']): Request => ({
    incoming,
    caller,
    idempotency,
    body,
    digest:
      body instanceof Failure || isShort(body.length) || lease.isShared()
        ? null
        : (hash?.digest('hex') ?? digest(body)),
    wire,
    lease,
    isPeeked: means !== null,
    spent: { ms: 0 },
  })
  try {
    const key = headers['idempotency-key']
    const idempotent =
      key === undefined ? null : idempotentRequest(key, method, path, partsAllowed(computation, caller))
    const body = await bytesOf(lease, incoming, {
      required: true,
      takesArrow: computation.takesArrow,
      shared: wire.body === 'arrow' && computation.inPieces !== null,
      owner: caller.accountId,
      permit(declaredBytes) {
        if (isSmall(declaredBytes) && !pipeline.recentlyRefused.has(caller.accountId)) return null
        const idempotency = idempotent === null ? null : { key: idempotent.key, requestHash: '' }
        const call = callOf({ incoming, caller, idempotency }, computation.leastCost)
        return peek(pipeline, call).then((found) => {
          means = found
        })
      },
      onBytes(bytes) {
        if (!lease.isShared()) hash?.update(bytes)
        idempotent?.update(bytes)
        // Calls are not counted where the caller can pay for any number: counting takes a tenth of the time of computing them.
        if (counter === null || means === null || means.credits >= computation.mostCost) return
        counter.add(bytes)
        means.refuse(counter.count * computation.leastCost)
      },
    })
    // After the body, because its failures 413 and 415 precede 422.
    refuseUnknownParameters(query, [])
    return received(body, idempotent?.bound() ?? null)
  } catch (error) {
    // Node also destroys a request that has arrived in full.
    const isCutOff = isArriving(incoming.body) && incoming.body.destroyed && !incoming.body.readableEnded
    const isEntered = error instanceof Failure && !NOT_ENTERED.has(error.code) && !isCutOff
    if (isEntered) return received(error, null)
    incoming.replyRoom.afterwards(lease.release)
    throw error
  }
}

/** The paths that the calls of a batch may name; null: all, or the request is no batch, which `isForbidden` has checked. */
const partsAllowed = ({ operationPath }: Computation, { team }: Caller): ReadonlySet<string> | null =>
  operationPath === null ? (team?.paths ?? null) : null

/** Whether a body is received without a `peek` at the account. @param declaredBytes null: unknown */
export const isSmall = (declaredBytes: number | null): boolean =>
  declaredBytes !== null && declaredBytes <= SMALL_BODY_BYTES

const declaredBytesOf = ({ body, headers }: Incoming): number | null => {
  if (!isArriving(body)) return body.length
  const declared = headers['content-length']
  return declared === undefined ? null : Number(declared)
}

/** The formats of the body and of a successful reply; failures are always JSON. */
function wireOf({ takesArrow }: Computation, { headers }: Incoming): Wire {
  if (!takesArrow) return JSON_WIRE
  return {
    body: isArrow(headers) ? 'arrow' : 'json',
    reply: acceptsArrow(headers) ? 'arrow' : 'json',
  }
}

/** A request that computes nothing, as the ledger enters it. */
export const accountCallOf = (incoming: Incoming, caller: Caller): Call => ({
  ...callOf({ incoming, caller }, 0),
  kind: 'account',
})

/** A computation as the ledger enters it. */
export const callOf = (
  {
    caller,
    idempotency = null,
    incoming,
  }: Pick<Request, 'caller' | 'incoming'> & Partial<Pick<Request, 'idempotency'>>,
  cost: number,
): Call => ({
  id: incoming.id,
  accountId: caller.accountId,
  keyId: caller.keyId,
  teamKeyId: caller.team?.id ?? null,
  kind: 'computation',
  method: incoming.method,
  path: incoming.path,
  ip: incoming.ip,
  requestId: incoming.requestId,
  cost,
  idempotency,
})

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
