/**
 * Sign-on in a browser: the way to the provider and back. What the answer is checked against is sealed in a cookie of the browser that
 * began, which is sent on the way back from the provider's site (SameSite=Lax) and serves once.
 */
import { createHash } from 'node:crypto'
import { tooManyFromAddress } from '../errors/accounts.ts'
import { providerAway, signOnExpired, signOnRefused } from '../errors/sign-on.ts'
import { retryAfterSeconds } from '../failure.ts'
import { SIGN_ON_LOG_LINES, SIGN_ON_MS } from '../limits/operation.ts'
import type { Incoming } from '../pipeline/incoming.ts'
import { type Vault, VaultError } from '../secrets/vault.ts'
import { type AttemptLimit, countAttempt } from '../store/attempts.ts'
import type { Runner } from '../store/store.ts'
import { MINUTE_MS } from '../time.ts'
import { isAway } from './bounded-fetch.ts'
import { cookieOf, originOf, setCookie } from './cookie.ts'
import type { Checks, Provider, SignedOn } from './provider.ts'

export interface FlowParts {
  readonly provider: Provider
  readonly vault: Pick<Vault, 'open' | 'seal'>
  readonly store: Runner
  readonly log: { warn(facts: object, message: string): void }
  /** Of the endpoint that begins; the browser comes back to `callback` below it. */
  readonly path: string
  /** Of ways back by client; null: none. */
  readonly limit: Pick<AttemptLimit, 'limit' | 'scope' | 'windowMs'> | null
}

export interface Flow {
  /** Where the browser goes, with the cookie to set. Throws Failure. */
  begin(incoming: Incoming): Promise<{ readonly location: string; readonly cookie: string }>
  /** Who came back. Throws Failure. */
  finish(incoming: Incoming): Promise<SignedOn>
  /** Removes the cookie. */
  forget(incoming: Incoming): string
}

const COOKIE = 'quantd_sign_on'

interface Begun extends Checks {
  readonly redirectUri: string
  readonly at: number
}

export function signOnFlow({ limit, log, path, provider, store, vault }: FlowParts): Flow {
  const cookie = ({ headers }: Incoming, value: string, lifeMs: number) =>
    setCookie(headers, { name: COOKIE, value, path, sameSite: 'Lax', lifeMs })
  const warn = aFewAMinute(log)
  const explained = async <Result>({ requestId }: Incoming, work: () => Promise<Result>) => {
    try {
      return await work()
    } catch (err) {
      warn({ err, requestId }, 'a sign-on failed')
      throw isAway(err) ? providerAway(provider.name) : signOnRefused(provider.name)
    }
  }
  return {
    async begin(incoming) {
      const origin = originOf(incoming.headers)
      if (origin === null) throw signOnExpired()
      const redirectUri = `${origin}${path}/callback`
      const { checks, url } = await explained(incoming, () => provider.begin(redirectUri))
      const begun: Begun = { ...checks, redirectUri, at: Date.now() }
      const { masterKeyId, sealed } = vault.seal('sign-on', JSON.stringify(begun), [path])
      const text = `${masterKeyId}.${Buffer.from(sealed).toString('base64url')}`
      return { location: url, cookie: cookie(incoming, text, SIGN_ON_MS) }
    },
    async finish(incoming) {
      const begun = opened(vault, path, cookieOf(incoming.headers, COOKIE))
      if (begun === null || begun.at + SIGN_ON_MS < Date.now()) throw signOnExpired()
      const { redirectUri, ...checks } = begun
      if (limit !== null) {
        const counted = await store.run(countAttempt, [{ ...limit, subject: incoming.subject }])
        if (!counted.ok) throw tooManyFromAddress(retryAfterSeconds(counted.retryAt, counted.now))
      }
      const subject = createHash('sha256').update(checks.state).digest('hex')
      const use = { scope: 'sign-on', subject, limit: 1, windowMs: 2 * SIGN_ON_MS }
      if (!(await store.run(countAttempt, [use])).ok) throw signOnExpired()
      const answer = new URL(redirectUri)
      answer.search = incoming.query.toString()
      return await explained(incoming, () => provider.finish(answer, checks))
    },
    forget: (incoming) => cookie(incoming, '', 0),
  }
}

/** Leaves out the lines of a minute beyond the first, which would drown others. */
function aFewAMinute(log: FlowParts['log']): FlowParts['log']['warn'] {
  let since = Number.NEGATIVE_INFINITY
  let lines = 0
  return (facts, message) => {
    const now = performance.now()
    if (now - since >= MINUTE_MS) [since, lines] = [now, 0]
    lines += 1
    if (lines <= SIGN_ON_LOG_LINES) log.warn(facts, message)
  }
}

function opened(vault: Pick<Vault, 'open'>, path: string, text: string | null): Begun | null {
  const [masterKeyId, sealed = ''] = (text ?? '').split('.')
  try {
    return JSON.parse(
      vault.open('sign-on', { masterKeyId, sealed: Buffer.from(sealed, 'base64url') }, [path]),
    )
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
