/** The story of one request to an account endpoint: the pipeline's, without a charge. */
import type { TObject } from 'typebox'
import type { AccountRequest, Caller, Handler, Origin } from '../accounts/handler.ts'
import { parse } from '../body/parse.ts'
import { type Validator, validator } from '../body/validate.ts'
import { Failure } from '../errors.ts'
import type { Call } from '../ledger/types.ts'
import type { Store } from '../store/store.ts'
import { admit, Refused } from './admit.ts'
import { envelope, failed, type Reply, success, withStanding } from './reply.ts'
import { failureOf, header, type Incoming, type Pipeline, refusalReply } from './serve.ts'
import { outcomeOf, settle } from './settle.ts'

export type ServeAccount = (incoming: Incoming, query: URLSearchParams) => Promise<Reply>

const FREE = { credits: 0, parts: null }
/** No account endpoint needs more; what is parsed here holds the event loop up. */
const MAX_BODY_BYTES = 64 * 1024

interface Parts extends Pipeline {
  readonly store: Pick<Store, 'attempt'>
  /** Whether the limits per client address apply. */
  readonly ipLimits: boolean
}

/** Prepares an account endpoint: compiles its schemas once. */
export function accountServer(parts: Parts, handler: Handler): ServeAccount {
  const { endpoint } = handler
  const body = endpoint.input === null ? null : validator<never>(endpoint.input)
  const parameters = endpoint.query === null ? null : queryReader(endpoint.query)
  const bodyNeeded = endpoint.input !== null && (endpoint.input.required ?? []).length > 0

  const work = async (incoming: Incoming, query: URLSearchParams, caller: Caller | null) => {
    const bytes = await receive(parts, incoming, bodyNeeded)
    const request: AccountRequest = {
      input: (body?.validate(bytes.length === 0 ? {} : parse(bytes)) ?? null) as never,
      query: (parameters?.(query) ?? null) as never,
      caller,
      origin: originOf(incoming),
    }
    return await handler.handle(request)
  }
  const reply = (data: unknown, incoming: Incoming) =>
    success(envelope(JSON.stringify(data), endpoint.message ?? undefined), incoming.requestId)

  const serveOpen: ServeAccount = async (incoming, query) => {
    await countAttempt(parts, handler, incoming.subject)
    return reply(await work(incoming, query, null), incoming)
  }

  const serveWithKey: ServeAccount = async (incoming, query) => {
    const startedAt = performance.now()
    const caller = await parts.authenticate(header(incoming, 'x-api-key'), incoming.ip)
    const call = accountCall(incoming, caller)
    if (caller.isGuest && endpoint.key === 'registered') throw await guestRefused(parts, call)
    const admitted = await admit(parts.meter, call)
    const answer = await work(incoming, query, caller).then(
      (data) => reply(data, incoming),
      (error) => failureOf(error, parts, incoming.requestId),
    )
    const outcome = outcomeOf(answer instanceof Failure ? answer : FREE, startedAt)
    const { standing } = await settle(parts.meter, admitted, outcome)
    return withStanding(answer instanceof Failure ? failed(answer, incoming.requestId) : answer, standing)
  }

  const serve = endpoint.key === 'none' ? serveOpen : serveWithKey
  return async (incoming, query) => {
    try {
      return await serve(incoming, query)
    } catch (error) {
      return refusalReply(error, parts, incoming.requestId)
    }
  }
}

async function guestRefused({ meter }: Parts, call: Call): Promise<Refused> {
  const { standing } = await meter.enter({ step: 'refusal', call, code: 'guest_forbidden' })
  const failure = new Failure('guest_forbidden', 'Guest keys cannot do this; register an account first.')
  return new Refused(failure, standing)
}

async function receive({ receiver }: Parts, { request }: Incoming, needed: boolean): Promise<Buffer> {
  const lease = receiver.lease()
  try {
    return await lease.receive(request, { required: needed, limitBytes: MAX_BODY_BYTES })
  } finally {
    lease.release()
  }
}

async function countAttempt({ store, ipLimits }: Parts, { perIp }: Handler, subject: string): Promise<void> {
  if (perIp === null || !ipLimits) return
  const attempt = await store.attempt([{ ...perIp, subject }])
  if (attempt.ok) return
  const retryAfterSeconds = Math.max(1, Math.ceil((attempt.retryAt - attempt.now) / 1_000))
  throw new Failure(
    'too_many_attempts',
    `Too many requests from this address; try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

const originOf = ({ ip, path, request, requestId, subject }: Incoming): Origin => ({
  ip,
  subject,
  requestId,
  method: request.method ?? '',
  path,
})

const accountCall = (incoming: Incoming, caller: Caller): Call => ({
  id: incoming.id,
  accountId: caller.accountId,
  keyId: caller.keyId,
  kind: 'account',
  ip: incoming.ip,
  requestId: incoming.requestId,
  method: incoming.request.method ?? '',
  path: incoming.path,
  cost: 0,
  units: 1,
  idempotency: null,
})

/** Parameters arrive as text; those of a number schema become numbers before they are checked. */
function queryReader(schema: TObject): (query: URLSearchParams) => unknown {
  const checked: Validator<object> = validator(schema)
  const properties = schema.properties as Record<string, { type?: string }>
  return (query) => {
    const value: Record<string, unknown> = {}
    for (const [name, text] of query) {
      const { type } = properties[name] ?? {}
      const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
      value[name] = isNumber && !Number.isNaN(Number(text)) ? Number(text) : text
    }
    return checked.validate(value)
  }
}
