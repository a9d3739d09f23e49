/**
 * The OpenID provider: discovery, the code flow with PKCE, its keys, and the address for logging out. The certified library checks state,
 * nonce, issuer, audience, times and signature; this file bounds its requests in time and bytes.
 */
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import {
  ACCESS_TOKEN_FRESH_MS,
  PROVIDER_KEYS,
  PROVIDER_KEYS_AGAIN_MS,
  PROVIDER_KEYS_KEPT_MS,
  SIGN_ON_AWAY_MS,
  SIGN_ON_CLOCK_S,
  SIGN_ON_METADATA_MS,
  SIGN_ON_REPLY_BYTES,
} from '../../base/limits/operation.ts'
import { SECOND_MS } from '../../base/time.ts'

interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client. */
  readonly clientSecret: string | null
}

/** The values that an answer is checked against; kept by the browser that began. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignedOn {
  readonly issuer: string
  readonly subject: string
  /** The claims of the ID token and, if it lacks some, those of the provider's userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
}

export interface Provider {
  readonly issuer: string
  /** Host of the issuer, by which people know it. */
  readonly name: string
  /** The address to which the browser goes. Rejects with ProviderAway, or an error of the library. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly checks: Checks }>
  /** @param answer the address that the browser came back to */
  finish(answer: URL, checks: Checks): Promise<SignedOn>
  /** Finds the key that signed a token. Rejects with ProviderAway, or an error of the library jose. */
  readonly keys: JWTVerifyGetKey
  /** The address at which the browser logs out; null: the provider has none. */
  endUrl(idToken: string | null, returnTo: string): Promise<string | null>
}

/** @param claim the claim that is needed in addition to those of the e-mail address; null: none */
export function openProvider(settings: ProviderSettings, claim: string | null): Provider {
  const library = () => import('openid-client')
  const discovered = cached(() => discover(settings))
  return {
    issuer: settings.issuer,
    name: new URL(settings.issuer).host,
    keys: providerKeys(async () => keysAddress(settings, await discovered())),
    async begin(redirectUri) {
      const [client, configuration] = await Promise.all([library(), discovered()])
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopesOf(configuration, claim),
        state: checks.state,
        nonce: checks.nonce,
        code_challenge_method: 'S256',
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      })
      return { url: url.href, checks }
    },
    async finish(answer, { nonce, state, verifier }) {
      const [client, configuration] = await Promise.all([library(), discovered()])
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        expectedNonce: nonce,
        expectedState: state,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const tokenClaims = tokens.claims() as IDToken
      const isWhole =
        tokenClaims.email !== undefined && (claim === null || claimOf(tokenClaims, claim) !== undefined)
      const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
      const userInfo: Partial<UserInfoResponse> =
        isWhole || endpoint === undefined
          ? {}
          : await client.fetchUserInfo(configuration, tokens.access_token, tokenClaims.sub)
      // `email_verified` counts only from the source that has the address.
      const { email, email_verified } = tokenClaims.email === undefined ? userInfo : tokenClaims
      const claims = { ...userInfo, ...tokenClaims, email, email_verified }
      return { issuer: tokenClaims.iss, subject: tokenClaims.sub, claims, idToken: tokens.id_token! }
    },
    async endUrl(idToken, returnTo) {
      const [client, configuration] = await Promise.all([library(), discovered()])
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      const hint = idToken === null ? {} : { id_token_hint: idToken }
      return client.buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: returnTo }).href
    },
  }
}

/** Throws ProviderAway if the metadata name none, or one without TLS. */
function keysAddress({ issuer }: ProviderSettings, configuration: Configuration): string {
  const address = configuration.serverMetadata().jwks_uri ?? ''
  if (address.startsWith('https:') || issuer.startsWith('http:')) return address
  throw new ProviderAway(`${issuer} has no address of its keys that begins with https:`)
}

async function discover({ clientId, clientSecret, issuer }: ProviderSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const server = new URL(issuer)
  // Only loopback hosts get here without TLS: the settings refuse others.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
  const options = { execute, timeout: PROVIDER_MS / SECOND_MS, [client.customFetch]: boundedFetch }
  const found = await client.discovery(server, clientId, undefined, client.None(), options)
  const metadata = found.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication =
    clientSecret === null
      ? client.None()
      : methods.includes('client_secret_basic')
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret)
  const tolerance = { [client.clockTolerance]: SIGN_ON_CLOCK_S }
  const configuration = new client.Configuration(metadata, clientId, tolerance, authentication)
  configuration[client.customFetch] = boundedFetch
  configuration.timeout = PROVIDER_MS / SECOND_MS
  for (const change of execute) change(configuration)
  // Otherwise the library would trust TLS instead of the token's signature. It reads the keys again for an unknown one, at most
  // once a minute.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Caches a result for SIGN_ON_METADATA_MS, and a failure for SIGN_ON_AWAY_MS. */
function cached<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let present: { readonly result: Promise<Result>; until: number } | null = null
  return () => {
    if (present !== null && performance.now() < present.until) return present.result
    const made = { result: make(), until: performance.now() + SIGN_ON_METADATA_MS }
    present = made
    made.result.catch(() => {
      made.until = performance.now() + SIGN_ON_AWAY_MS
    })
    return made.result
  }
}

/** Contains the scope with the name of the claim, such as `groups`, if the provider has one. */
function scopesOf(configuration: Configuration, claim: string | null): string {
  const offered = configuration.serverMetadata().scopes_supported ?? []
  const more = claim !== null && offered.includes(claim) ? [claim] : []
  return ['openid', 'email', 'profile', ...more].join(' ')
}

/** The value of a claim, by its name or by names with dots between them: `realm_access.roles`. */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** @param address of the provider's key set, which its metadata name */
function providerKeys(address: () => Promise<string>): JWTVerifyGetKey {
  let present: { readonly find: JWTVerifyGetKey; readonly readAt: number } | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<JWTVerifyGetKey> | null = null
  const read = (): Promise<JWTVerifyGetKey> => {
    triedAt = performance.now()
    reading ??= readKeys(address)
      .then((find) => {
        present = { find, readAt: performance.now() }
        return find
      })
      .catch((cause) => {
        throw new ProviderAway('the keys of the provider cannot be read', { cause })
      })
      .finally(() => {
        reading = null
      })
    return reading
  }
  /** The keys, read again if they are old. */
  const fresh = async (): Promise<JWTVerifyGetKey> => {
    const age = present === null ? Number.POSITIVE_INFINITY : performance.now() - present.readAt
    if (present !== null && age < ACCESS_TOKEN_FRESH_MS) return present.find
    const kept = present !== null && age < PROVIDER_KEYS_KEPT_MS ? present.find : null
    if (reading === null && performance.now() - triedAt < SIGN_ON_AWAY_MS) {
      if (kept === null) throw new ProviderAway('the keys of the provider could not be read a moment ago')
      return kept
    }
    return await read().catch((error) => {
      if (kept === null) throw error
      return kept
    })
  }
  return async (header, token) => {
    const find = await fresh()
    try {
      return await find(header, token)
    } catch (error) {
      const isUnknown = (error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY'
      if (!isUnknown || performance.now() - triedAt < PROVIDER_KEYS_AGAIN_MS) throw error
      return await (await read())(header, token)
    }
  }
}

async function readKeys(address: () => Promise<string>): Promise<JWTVerifyGetKey> {
  const [{ createLocalJWKSet }, url] = await Promise.all([import('jose'), address()])
  const response = await boundedFetch(url, { headers: { accept: 'application/json' } })
  const set =
    response.status === 200 ? ((await response.json().catch(() => null)) as JSONWebKeySet | null) : null
  if (!Array.isArray(set?.keys) || set.keys.length > PROVIDER_KEYS)
    throw new ProviderAway(`${url} answered without a set of at most ${PROVIDER_KEYS} keys`)
  return createLocalJWKSet(set)
}

/** The time limit of a request with its reply. */
const PROVIDER_MS = 5 * SECOND_MS

/** The provider cannot be reached, does not answer in time, fails, or answers with too many bytes. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

/** Whether an error of the library was caused by a provider that is away. */
export function isAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderAway || cause.name === 'TimeoutError') return true
  return false
}

async function boundedFetch(url: string, options: object): Promise<Response> {
  const bounds = { redirect: 'manual', signal: AbortSignal.timeout(PROVIDER_MS) } as const
  try {
    const response = await fetch(url, { ...options, ...bounds })
    const body = await bytesOf(response, url)
    if (response.status >= 500) throw new ProviderAway(`${url} answered with status ${response.status}`)
    const { headers, status } = response
    return new Response(body.length === 0 ? null : body, { status, headers })
  } catch (error) {
    if (error instanceof ProviderAway) throw error
    throw new ProviderAway(`${url} did not answer`, { cause: error })
  }
}

async function bytesOf({ body }: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    // Leaving the loop cancels the rest.
    if (length > SIGN_ON_REPLY_BYTES)
      throw new ProviderAway(`${url} answered with more than ${SIGN_ON_REPLY_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
