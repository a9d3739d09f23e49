/** An operator's request, in the order of every request, with its token or session. Each change writes an event that names the token. */
import { cookieOf, setCookie } from '../../accounts/sign-on/cookies.ts'
import {
  notFromThisPage,
  sessionInvalid,
  tokenInvalid,
  tooManyWrongTokens,
} from '../../base/errors/operator.ts'
import { retryAfterSeconds } from '../../base/failure.ts'
import { uuidv7 } from '../../base/ids.ts'
import { WRONG_TOKENS_PER_CLIENT } from '../../base/limits/operation.ts'
import type { Receiver } from '../../compute/body/receive.ts'
import { queryReader } from '../../compute/body/validate.ts'
import { countAttempt } from '../../ledger/store/attempts.ts'
import type { Runner } from '../../ledger/store/store.ts'
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { inOrder, pass } from '../../protocol/order.ts'
import { csvReply, type Reply, success, unsettledReply } from '../../protocol/reply.ts'
import type { TeamKeyHash } from '../../secrets/keys.ts'
import type { AdminEvent } from '../audit-event.ts'
import { type OperatorToken, usedSession, usedToken } from '../tokens.ts'
import { actOf, refuseRole, waitForSecond } from './confirmation.ts'
import {
  accountBefore,
  type OperatorContext,
  type OperatorEndpoint,
  type OperatorRequest,
  outcomeOf,
} from './endpoint.ts'

export interface OperatorPipeline extends OperatorContext {
  readonly receiver: Receiver
  readonly onInternalError: OnInternalError
}

/** Prepares an endpoint: compiles its schemas once. */
export function operatorServer(pipeline: OperatorPipeline, endpoint: OperatorEndpoint) {
  const readInput = inputReader<{ readonly reason?: unknown } | null>(endpoint.input)
  const readQuery = queryReader(endpoint.query)
  const context = endpoint.method === 'GET' ? readingContext(pipeline) : pipeline
  return inOrder({
    async authenticate(incoming: Incoming): Promise<OperatorToken> {
      const holder = await authenticated(pipeline, incoming)
      await refuseRole(pipeline, endpoint, { by: holder, event: () => eventOf(incoming, holder) })
      return holder
    },
    async receive(incoming: Incoming, holder: OperatorToken) {
      const query = readQuery(incoming.query)
      return { incoming, holder, query, input: await readInput(pipeline.receiver, incoming) }
    },
    async admit({ holder, incoming, input, query }: Received) {
      // The body may arrive slowly: the token may have been revoked since its first byte.
      const token = endpoint.input === null ? holder : await authenticated(pipeline, incoming)
      const why = typeof input?.reason === 'string' ? input.reason : undefined
      const asked = {
        input: input as OperatorRequest['input'],
        by: token,
        event: () => eventOf(incoming, token, why),
      }
      await waitForSecond(pipeline, endpoint, asked)
      const request = { ...asked, query, act: actOf(pipeline, endpoint, asked) } as OperatorRequest
      return { incoming, request }
    },
    async act({ incoming, request }: { incoming: Incoming; request: OperatorRequest }) {
      const given = request.input
      const before = await accountBefore(context, given)
      const data = await endpoint.handle(context, request)
      // The act is done: it is answered also where its sentence cannot be made.
      const outcome = await outcomeOf(context, endpoint, { before, data, given }).catch((error) => {
        pipeline.onInternalError(error, incoming.requestId)
        return null
      })
      return { incoming, request, data, outcome }
    },
    // The event of a change is written in the transaction of the act.
    settle: pass,
    reply({ data, incoming: { requestId }, outcome, request: { query } }): Reply {
      const isTable = endpoint.csv !== undefined && (query as { format?: string } | null)?.format === 'csv'
      const { next_cursor: next = null } = data as { next_cursor?: string | null }
      return isTable
        ? csvReply(endpoint.csv!(data), next, requestId)
        : { ...success(JSON.stringify(data), requestId), ...outcome }
    },
    refuse: (error, { requestId }: Incoming): Reply =>
      unsettledReply(error, pipeline.onInternalError, requestId),
  })
}

interface Received {
  readonly incoming: Incoming
  readonly holder: OperatorToken
  readonly query: unknown
  readonly input: { readonly reason?: unknown } | null
}

/** A request that reads runs its verbs where they delay no call, as the commands do. */
const readingContext = (context: OperatorContext): OperatorContext => ({
  ...context,
  store: { ...context.store, run: context.reads.run },
})

export const eventOf = (
  { ip, path, requestId }: Incoming,
  { name }: Pick<OperatorToken, 'name'>,
  reason?: string,
): AdminEvent => ({
  auditId: uuidv7(),
  ip,
  requestId,
  method: 'OPERATOR',
  path,
  actor: name,
  ...(reason !== undefined && { reason }),
})

interface Tokens {
  readonly store: Runner
  readonly hashToken: TeamKeyHash
}

const SESSION_COOKIE = 'quantd_operator'

const TOKEN = /^Bearer +(qd_op_[0-9A-Za-z]{43})$/i
const SESSION = /^qd_op_[0-9A-Za-z]{43}$/

/** Throws Failure `token_invalid` or `too_many_attempts`. */
export async function authenticated(tokens: Tokens, incoming: Incoming): Promise<OperatorToken> {
  const { authorization } = incoming.headers
  if (authorization === undefined && sessionIn(incoming) !== null) return await sessionOf(tokens, incoming)
  return await tokenOf(tokens, incoming, TOKEN.exec(authorization ?? '')?.[1])
}

/** The token of a request. Only wrong tokens count against the limit of a client, so that nobody can lock an operator out. */
export async function tokenOf(
  { hashToken, store }: Tokens,
  { subject }: Incoming,
  given: string | undefined,
): Promise<OperatorToken> {
  const token = given === undefined ? null : await store.run(usedToken, hashToken(given))
  if (token !== null) return token
  await countWrong(store, subject)
  throw tokenInvalid()
}

/** The session of the cookie. Throws Failure `token_invalid`. */
export async function sessionOf({ hashToken, store }: Tokens, incoming: Incoming): Promise<OperatorToken> {
  refuseOtherPages(incoming)
  const given = sessionIn(incoming)
  if (given === null) throw sessionInvalid()
  const session = await store.run(usedSession, hashToken(given))
  if (session !== null) return session
  await countWrong(store, incoming.subject)
  throw sessionInvalid()
}

/** The secret of a session, which the page sends in a cookie; null: there is none. */
function sessionIn({ headers }: Incoming): string | null {
  const secret = cookieOf(headers, SESSION_COOKIE)
  return secret !== null && SESSION.test(secret) ? secret : null
}

/**
 * Refuses requests of other origins. Cookies hold for all ports of a host, and SameSite does not separate them, so another service
 * of the host could send them. Browsers send the origin in a header that no page can set.
 */
export function refuseOtherPages({ headers }: Incoming): void {
  if (headers['sec-fetch-site'] !== 'same-origin') throw notFromThisPage()
}

export const sessionCookie = ({ headers }: Incoming, value: string, lifeMs: number): string =>
  setCookie(headers, { name: SESSION_COOKIE, value, path: '/operator', sameSite: 'Strict', lifeMs })

async function countWrong(store: Runner, subject: string): Promise<void> {
  const counted = await store.run(countAttempt, [
    { scope: 'operator token', subject, ...WRONG_TOKENS_PER_CLIENT },
  ])
  if (!counted.ok) throw tooManyWrongTokens(retryAfterSeconds(counted.retryAt, counted.now))
}
