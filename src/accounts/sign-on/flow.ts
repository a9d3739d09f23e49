/**
 * Sign-on in a browser: the redirection to the provider, the return, and the end of the session at the provider. The values that
 * the answer is checked against are sealed in a cookie, which serves once. It is SameSite=Lax, because browsers do not send
 * other cookies when they return from the provider's site.
 */
import { providerAway, signOnExpired, signOnRefused, tooManyFromAddress } from '../../base/errors/accounts.ts'
import { type Failure, retryAfterSeconds } from '../../base/failure.ts'
import { SIGN_ON_LOG_LINES } from '../../base/limits/operation.ts'
import { MINUTE_MS } from '../../base/time.ts'
import { type AttemptLimit, countAttempt } from '../../ledger/store/attempts.ts'
import type { Incoming } from '../../protocol/incoming.ts'
import { type CookieParts, originOf, sealedCookie } from './cookies.ts'
import { type Checks, isAway, type Provider, type SignedOn } from './provider.ts'

export interface FlowParts extends CookieParts {
  readonly provider: Provider
  readonly log: { warn(facts: object, message: string): void }
  /** The path at which a sign-on begins; the browser returns to `callback` below it. */
  readonly path: string
  /** The limit on returns per client; null: none. */
  readonly limit: Pick<AttemptLimit, 'limit' | 'scope' | 'windowMs'> | null
  /** The failure of every sign-on; null: there is room for what it writes. */
  readonly refusal: () => Failure | null
}

export interface Redirection {
  readonly location: string
  /** The values of Set-Cookie headers. */
  readonly cookies: readonly string[]
}

interface Begun extends Checks {
  readonly redirectUri: string
}

export function signOnFlow({ limit, log, path, provider, refusal, store, vault }: FlowParts) {
  const cookie = sealedCookie<Begun>({ store, vault }, { name: 'quantd_sign_on', path, sameSite: 'Lax' })
  const warn = aFewAMinute(log)
  const explained = async <Result>({ requestId }: Incoming, work: () => Promise<Result>) => {
    try {
      return await work()
    } catch (err) {
      warn({ err, requestId }, 'a sign-on failed')
      throw isAway(err) ? providerAway(provider.name) : signOnRefused(provider.name)
    }
  }
  const ensureRoom = () => {
    const refused = refusal()
    if (refused !== null) throw refused
  }
  return {
    /** Redirects to the provider. Throws Failure. */
    async begin(incoming: Incoming): Promise<Redirection> {
      ensureRoom()
      const origin = originOf(incoming)
      if (origin === null) throw signOnExpired()
      const redirectUri = `${origin}${path}/callback`
      const { checks, url } = await explained(incoming, () => provider.begin(redirectUri))
      return { location: url, cookies: [cookie.set(incoming, { ...checks, redirectUri })] }
    },
    /** The person who has returned from the provider. Throws Failure. */
    async finish(incoming: Incoming): Promise<SignedOn> {
      ensureRoom()
      const { use, value } = cookie.read(incoming)
      const { redirectUri, ...checks } = value
      if (limit !== null) {
        const counted = await store.run(countAttempt, [{ ...limit, subject: incoming.subject }])
        if (!counted.ok) throw tooManyFromAddress(retryAfterSeconds(counted.retryAt, counted.now))
      }
      await use()
      const answer = new URL(redirectUri)
      answer.search = incoming.query.toString()
      return await explained(incoming, () => provider.finish(answer, checks))
    },
    /** Removes the cookie. */
    forget: cookie.forget,
  }
}

/** Logs only the first lines of each minute, so that strangers cannot fill the log. */
export function aFewAMinute(log: FlowParts['log']): FlowParts['log']['warn'] {
  let since = Number.NEGATIVE_INFINITY
  let lines = 0
  return (facts, message) => {
    const now = performance.now()
    if (now - since >= MINUTE_MS) [since, lines] = [now, 0]
    lines += 1
    if (lines <= SIGN_ON_LOG_LINES) log.warn(facts, message)
  }
}

/** The address for logging out; null: the provider is away or has none. @param idToken null: it asks the person first */
export async function endAtProvider(
  provider: Provider,
  incoming: Incoming,
  idToken: string | null,
): Promise<string | null> {
  const origin = originOf(incoming)
  return origin === null ? null : await provider.endUrl(idToken, `${origin}/`).catch(() => null)
}
