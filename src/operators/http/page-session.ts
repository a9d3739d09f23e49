/**
 * Login and logout of the page. The token is exchanged for a session in a cookie that scripts cannot read and other origins
 * cannot use. A script that was injected into the page could act while it is open, but could not steal the token or session.
 */
import { type BrowserRoute, signOnRoutes } from '../../accounts/sign-on/browser-routes.ts'
import { cookieOf, setCookie } from '../../accounts/sign-on/cookies.ts'
import { endAtProvider } from '../../accounts/sign-on/flow.ts'
import { claimOf, type Provider, type SignedOn } from '../../accounts/sign-on/provider.ts'
import { noRole } from '../../base/errors/accounts.ts'
import { uuidv7 } from '../../base/ids.ts'
import {
  OPERATOR_SESSION_MS,
  SIGNED_ON_SESSION_MS,
  WRONG_TOKENS_PER_CLIENT,
} from '../../base/limits/operation.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import type { Incoming } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { type Reply, success } from '../../protocol/reply.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { ROLES, type Role } from '../roles.ts'
import { beginSession, countForbidden, endSession, type OperatorToken } from '../tokens.ts'
import {
  eventOf,
  type OperatorPipeline,
  refuseOtherPages,
  sessionCookie,
  sessionOf,
  tokenOf,
} from './serve.ts'

interface SessionRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(incoming: Incoming): Promise<Reply>
}

const credentials = inputReader<{ token: string }>(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
)

/** @param signOn null: there is no sign-on at a provider */
export function sessionRoutes(pipeline: OperatorPipeline, signOn: OperatorSignOn | null): SessionRoute[] {
  const { hashToken, receiver, store } = pipeline
  return [
    {
      method: 'GET',
      path: '/operator/session',
      answer: async (incoming) =>
        success(JSON.stringify(sessionJson(await sessionOf(pipeline, incoming))), incoming.requestId),
    },
    {
      method: 'POST',
      path: '/operator/session',
      async answer(incoming) {
        refuseOtherPages(incoming)
        const given = await credentials(receiver, incoming)
        const token = await tokenOf(pipeline, incoming, given.token.trim())
        const secret = newOperatorToken()
        const session = await store.run(beginSession, {
          token,
          hash: hashToken(secret),
          lifeMs: OPERATOR_SESSION_MS,
          event: eventOf(incoming, token),
        })
        const reply = success(JSON.stringify(sessionJson(session)), incoming.requestId)
        return { ...reply, headers: ['set-cookie', sessionCookie(incoming, secret, OPERATOR_SESSION_MS)] }
      },
    },
    {
      method: 'POST',
      path: '/operator/session/end',
      async answer(incoming) {
        const session = await sessionOf(pipeline, incoming)
        await store.run(endSession, { id: session.id, event: eventOf(incoming, session) })
        const isPerson = signOn !== null && session.person.startsWith('person ')
        const data = { sign_out: isPerson ? await endOfPerson(signOn, incoming) : null }
        return {
          ...success(JSON.stringify(data), incoming.requestId),
          headers: [sessionCookie(incoming, '', 0), idTokenCookie(incoming, '')].flatMap((one) => [
            'set-cookie',
            one,
          ]),
        }
      },
    },
  ]
}

const sessionJson = ({ expiresAt, name, role }: OperatorToken) => ({
  name,
  role,
  expires_at: isoTime(expiresAt),
})

export interface OperatorSignOn {
  readonly provider: Provider
  /** The name of the claim, and the role for each of its values. */
  readonly roles: { readonly claim: string; readonly of: ReadonlyMap<string, Role> }
  readonly log: { warn(facts: object, message: string): void }
}

export function operatorSignOn(pipeline: OperatorPipeline, signOn: OperatorSignOn): BrowserRoute[] {
  const { onInternalError, store, vault } = pipeline
  const limit = { scope: 'operator sign-on', ...WRONG_TOKENS_PER_CLIENT }
  const page = { back: '/', styles: '/assets/operators.css' }
  // Operators are those who make room.
  const refusal = () => null
  const parts = { ...signOn, vault, store, onInternalError, path: '/operator/sign-on', limit, page, refusal }
  return signOnRoutes(parts, async (incoming, person) => {
    const secret = await sessionFor(pipeline, signOn, incoming, person)
    const cookie = sessionCookie(incoming, secret, SIGNED_ON_SESSION_MS)
    return { location: '/', cookies: [cookie, idTokenCookie(incoming, person.idToken)] }
  })
}

/** The secret of a new session. Throws Failure `role_forbidden`. */
async function sessionFor(
  { hashToken, store }: OperatorPipeline,
  { roles }: OperatorSignOn,
  incoming: Incoming,
  signedOn: SignedOn,
): Promise<string> {
  const name = nameOf(signedOn)
  const role = roleOf(claimOf(signedOn.claims, roles.claim), roles.of)
  const person = `person ${signedOn.issuer} ${signedOn.subject}`
  const event = eventOf(incoming, { name })
  if (role === null) {
    await store.run(countForbidden, { event, role: 'none', needed: 'viewer' })
    throw noRole(name, roles.claim)
  }
  const secret = newOperatorToken()
  await store.run(beginSession, {
    token: { name, person, role },
    hash: hashToken(secret),
    lifeMs: SIGNED_ON_SESSION_MS,
    event: { ...event, auditId: uuidv7() },
  })
  return secret
}

/** The highest role among the values of a claim; null: there is none. */
function roleOf(claim: unknown, roles: ReadonlyMap<string, Role>): Role | null {
  const values = Array.isArray(claim) ? claim : [claim]
  const given = values.map((value) => roles.get(value)).filter((role) => role !== undefined)
  return ROLES.findLast((role) => given.includes(role)) ?? null
}

/** The name of a person in events: a readable name, which may change, and the subject, which the provider gives to nobody else. */
function nameOf({ claims, subject }: SignedOn): string {
  const known = [claims.email, claims.preferred_username, claims.name].find((one) => typeof one === 'string')
  const shown = `${known === undefined ? '' : `${known.slice(0, 100)} `}(${subject.slice(0, 255)})`
  return shown.replace(/\p{C}/gu, ' ')
}

const ID_TOKEN = 'quantd_id_token'
/** The longest token that fits into a cookie. Without the token, the provider asks the person to confirm the logout. */
const COOKIE_CHARACTERS = 3_800

/** The header that sets the cookie of the ID token; an empty token deletes the cookie. */
const idTokenCookie = ({ headers }: Incoming, idToken: string): string => {
  const value = idToken.length > COOKIE_CHARACTERS ? '' : idToken
  const lifeMs = value === '' ? 0 : SIGNED_ON_SESSION_MS
  return setCookie(headers, {
    name: ID_TOKEN,
    value,
    path: '/operator/session/end',
    sameSite: 'Strict',
    lifeMs,
  })
}

/** The address at which the provider ends the person's session; null: it has none. */
const endOfPerson = ({ provider }: OperatorSignOn, incoming: Incoming): Promise<string | null> =>
  endAtProvider(provider, incoming, cookieOf(incoming.headers, ID_TOKEN))
