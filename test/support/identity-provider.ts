/** A real OpenID provider on loopback, whose people sign in at once; and a browser that goes to it and back, without pages. */
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

type Claims = Record<string, unknown>

export interface IdentityProvider {
  readonly issuer: string
  /** The person who signs in next. */
  person: { readonly sub: string } & Claims
  /**
   * Changes the claims of ID tokens, which are signed again: by `forgedBy` (a key that is not published, the client's secret, or
   * nothing), or by the published key if that is null.
   */
  forge: ((claims: Claims) => Claims) | null
  forgedBy: KeyObject | 'secret' | 'nothing' | null
  /** If set, answers every request instead of the provider. */
  instead: RequestListener | null
  /** The paths of the requests, in order. */
  readonly asked: string[]
  /** Signs with another key from now on. */
  rotate(): void
  /**
   * An access token of the person who signs in next, made by hand.
   * @param claims in place of the usual ones; undefined: without the claim
   * @param forgedBy signs it in place of the published key
   */
  accessToken(claims?: Claims, header?: Claims, forgedBy?: IdentityProvider['forgedBy']): string
  close(): Promise<void>
}

/** The settings of a service whose people sign on at the provider. */
export const providerSettings = ({ issuer }: Pick<IdentityProvider, 'issuer'>) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
})

export const CLIENT = { client_id: 'quantd', client_secret: 'a secret of the client' }
/** The audience of access tokens that are made by hand. */
export const AUDIENCE = 'https://quantd.example'
export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** @param redirects addresses to which people may be sent back; the first is also the one after a log-out */
export async function startProvider(redirects: readonly string[]): Promise<IdentityProvider> {
  let listener: RequestListener = () => undefined
  // The server closes no idle connection, on which a client may be sending its next request.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    running.asked.push(new URL(request.url!, 'http://x').pathname)
    ;(running.instead ?? listener)(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running: IdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    forge: null,
    forgedBy: null,
    instead: null,
    asked: [],
    rotate() {
      const [key, kid] = [newKey(), randomUUID()]
      listener = providerOf(running, redirects, key, kid)
      running.accessToken = (claims = {}, header = {}, forgedBy = null) => {
        const now = Math.floor(Date.now() / 1_000)
        const usual = { iss: issuer, sub: running.person.sub, aud: AUDIENCE, scope: 'openid quantd' }
        const times = { iat: now, exp: now + 600, jti: randomUUID() }
        return signed({ ...usual, ...times, ...claims }, { kid, typ: 'at+jwt', ...header }, forgedBy ?? key)
      }
    },
    accessToken: () => '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  running.rotate()
  return running
}

function providerOf(
  running: IdentityProvider,
  redirects: readonly string[],
  key: KeyObject,
  kid: string,
): RequestListener {
  const provider = new Provider(running.issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: redirects,
        post_logout_redirect_uris: [new URL('/', redirects[0]).href],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['of the tests'] },
    adapter: createMemoryAdapter(),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    scopes: ['openid', 'email', 'profile', 'groups', 'quantd'],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    pkce: { required: () => true },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          audience: resource,
          scope: 'quantd',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    interactions: { url: () => '/sign-in' },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...running.person, sub }),
    }),
    async loadExistingGrant(ctx: { oidc: Parameters<Parameters<Provider['use']>[0]>[0]['oidc'] }) {
      const { client, provider, session } = ctx.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile groups quantd')
      for (const resource of [ctx.oidc.params.resource].flat())
        if (resource !== undefined) grant.addResourceScope(resource, 'quantd')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    await next()
    const { forge, forgedBy } = running
    if (ctx.path === '/token' && forge !== null && ctx.body?.id_token !== undefined)
      ctx.body.id_token = signed(forge(claimsOf(ctx.body.id_token)), { kid }, forgedBy ?? key)
  })
  const answer = provider.callback()
  return (request, response) => {
    if (!request.url!.startsWith('/sign-in')) return void answer(request, response)
    // A client on the person's machine is asked for at each sign-on; the person agrees.
    const login = { login: { accountId: running.person.sub }, consent: {} }
    void provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false })
  }
}

/** Replaces the provider's own page, which loads a font from another host. */
const logoutSource = (ctx: { body: string }, form: string) => {
  ctx.body = `<h1>Log out?</h1>${form}`
}

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())

function signed(claims: Claims, header: Claims, key: KeyObject | 'secret' | 'nothing'): string {
  const alg = key === 'secret' ? 'HS256' : key === 'nothing' ? 'none' : 'ES256'
  const parts = [{ alg, ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  if (key === 'nothing') return [...parts, ''].join('.')
  if (key === 'secret')
    return [
      ...parts,
      createHmac('sha256', CLIENT.client_secret).update(parts.join('.')).digest('base64url'),
    ].join('.')
  const of = {
    key: createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })),
    dsaEncoding: 'ieee-p1363' as const,
  }
  return [...parts, sign('sha256', Buffer.from(parts.join('.')), of).toString('base64url')].join('.')
}

/** A browser without pages: it keeps cookies and follows redirections up to a given address. */
export function walker() {
  const cookies = new Map<string, string>()
  const go = async (url: string, options: RequestInit = {}) => {
    const response = await fetch(url, {
      redirect: 'manual',
      ...options,
      headers: { ...options.headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!
      if (value === '' || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    return { url, response, next: location === null ? null : new URL(location, url).href }
  }
  return {
    cookies,
    go,
    /** Follows redirections until one leads to an address with this beginning, and returns that address. */
    async until(url: string, beginning: string): Promise<string> {
      let at: string | null = url
      for (let steps = 0; at !== null && steps < 20; steps++) {
        if (steps > 0 && at.startsWith(beginning)) return at
        at = (await go(at)).next
      }
      throw new Error(`no way from ${url} to ${beginning}`)
    },
  }
}
