/**
 * Sign-on at the company's provider for the page: a claim gives the role. A person has a session of an hour, because nobody
 * tells the service of a role that changes; the page then goes to the provider again.
 */
import { noRole } from '../../errors/sign-on.ts'
import { uuidv7 } from '../../ids.ts'
import { SIGNED_ON_SESSION_MS, WRONG_TOKENS_PER_CLIENT } from '../../limits/operation.ts'
import type { Incoming } from '../../pipeline/incoming.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { cookieOf, setCookie } from '../../sign-on/cookie.ts'
import { endAtProvider } from '../../sign-on/flow.ts'
import { claimOf, type Provider, type SignedOn } from '../../sign-on/provider.ts'
import { type BrowserRoute, signOnRoutes } from '../../sign-on/routes.ts'
import { ROLES, type Role } from '../roles.ts'
import { beginSession, countForbidden } from '../tokens.ts'
import { sessionCookie } from './authenticate.ts'
import { eventOf, type OperatorPipeline } from './serve.ts'

export interface OperatorSignOn {
  readonly provider: Provider
  /** The claim, and the role of each of its values. */
  readonly roles: { readonly claim: string; readonly of: ReadonlyMap<string, Role> }
  readonly log: { warn(facts: object, message: string): void }
}

export function operatorSignOn(pipeline: OperatorPipeline, signOn: OperatorSignOn): BrowserRoute[] {
  const { onInternalError, store, vault } = pipeline
  const limit = { scope: 'operator sign-on', ...WRONG_TOKENS_PER_CLIENT }
  const page = { back: '/', styles: '/assets/operators.css' }
  const parts = { ...signOn, vault, store, onInternalError, path: '/operator/sign-on', limit, page }
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

/** The highest role of the values of a claim; null: none. */
function roleOf(claim: unknown, roles: ReadonlyMap<string, Role>): Role | null {
  const values = Array.isArray(claim) ? claim : [claim]
  const given = values.map((value) => roles.get(value)).filter((role) => role !== undefined)
  return ROLES.findLast((role) => given.includes(role)) ?? null
}

/** For people, with the number that the provider never gives to another person: addresses and names can be changed there. */
function nameOf({ claims, subject }: SignedOn): string {
  const known = [claims.email, claims.preferred_username, claims.name].find((one) => typeof one === 'string')
  const shown = `${known === undefined ? '' : `${known.slice(0, 100)} `}(${subject.slice(0, 255)})`
  return shown.replace(/\p{C}/gu, ' ')
}

const ID_TOKEN = 'quantd_id_token'
/** Browsers keep no larger cookie; without it the provider asks before it logs out. */
const COOKIE_CHARACTERS = 3_800

/** Empty: the browser forgets it. */
export const idTokenCookie = ({ headers }: Incoming, idToken: string): string => {
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

/** Where the browser ends the person's session at the provider, if there is such an address. */
export const endOfPerson = ({ provider }: OperatorSignOn, { headers }: Incoming): Promise<string | null> =>
  endAtProvider(provider, headers, cookieOf(headers, ID_TOKEN))
