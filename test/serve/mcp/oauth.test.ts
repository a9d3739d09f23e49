/** A client that knows no other way than OAuth, of the official SDK: it gets the address of the service and a browser, and no key. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { freePort } from '../../support/free-port.ts'
import { providerSettings, startProvider, walker } from '../../support/identity-provider.ts'
import { OPTION } from '../../support/option.ts'
import { startWithoutIpLimits } from '../../support/people.ts'
import { callTool, REVISIONS } from './clients.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const provider = await startProvider([`${origin}/user/sign-on/callback`])
const service = await startWithoutIpLimits({
  PORT: String(port),
  ...providerSettings(provider),
  OIDC_ACCOUNTS: 'on',
  OIDC_PROGRAMS: 'on',
  OIDC_AUDIENCE: `${origin}/mcp`,
})
after(async () => {
  await service.close()
  await provider.close()
})

/** The redirect address of the client, where nobody listens: the browser stops there. */
const REDIRECT = 'http://127.0.0.1:9/callback'

/** The state of a client between two starts; it opens the provider in a browser in which the person is signed on. */
function authorization(browser: ReturnType<typeof walker>) {
  const kept: { client?: unknown; tokens?: unknown; found?: unknown; verifier?: string; answer?: URL } = {}
  const known: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'an AI client',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    discoveryState: () => kept.found as never,
    saveDiscoveryState: (found) => void Object.assign(kept, { found }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier!,
    async redirectToAuthorization(url) {
      kept.answer = new URL(await browser.until(url.href, REDIRECT))
    },
  }
  return { kept, known }
}

/** A fetch that records what was asked and answered. */
function recorded() {
  const lines: string[] = []
  const record = async (url: string | URL, options: RequestInit = {}) => {
    const response = await fetch(url, options)
    const { method = 'GET', body, headers } = options
    const { host, pathname } = new URL(url)
    const sent = typeof body === 'string' ? (/"method":"([^"]+)"/.exec(body)?.[1] ?? '') : ''
    const bearer = new Headers(headers).has('authorization') ? ' with a token' : ''
    const place = host === new URL(origin).host ? 'service' : 'provider'
    lines.push(`${[method, place, pathname, sent].join(' ').trim()}${bearer} → ${response.status}`)
    return response
  }
  return { lines, record }
}

async function signOnOnce(browser: ReturnType<typeof walker>): Promise<string> {
  await browser.go(await browser.until(`${origin}/user/sign-on`, `${origin}/user/sign-on/callback`))
  const { response } = await browser.go(`${origin}/user/sign-on/key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })
  return ((await response.json()) as { data: { api_key: string } }).data.api_key
}

const FIRST = { '2025-11-25': 'initialize', '2026-07-28': 'server/discover' }
const HANDSHAKE = [
  'POST service /mcp notifications/initialized with a token → 202',
  'GET service /mcp with a token → 405',
]

for (const revision of REVISIONS)
  it(`a client that can only sign its user on connects and computes (${revision})`, async () => {
    const email = `hedy-${revision}@example.org`
    provider.person = { sub: revision, email, email_verified: true }
    const browser = walker()
    const key = await signOnOnce(browser)
    const { kept, known } = authorization(browser)
    const { lines, record } = recorded()
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: known, fetch: record })
    const client = () =>
      new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
      )
    const first = open()
    await assert.rejects(client().connect(first), { name: 'UnauthorizedError' })
    await first.finishAuth(kept.answer!.searchParams)
    const connected = client()
    await connected.connect(open())
    const price = await callTool(connected, 'pricing_bs_price', OPTION)
    await connected.close()
    assert.deepEqual([price.isError, price.standing.charged, price.standing.credits], [false, 1, 349])
    assert.deepEqual(lines, [
      `POST service /mcp ${FIRST[revision]} → 401`,
      'GET service /.well-known/oauth-protected-resource/mcp → 200',
      'GET provider /.well-known/oauth-authorization-server → 200',
      'POST provider /reg → 201',
      'POST provider /token → 200',
      `POST service /mcp ${FIRST[revision]} with a token → 200`,
      ...(revision === '2025-11-25' ? HANDSHAKE : []),
      'POST service /mcp tools/call with a token → 200',
    ])
    const { items } = await service.dataOf(key, '/user/usage')
    assert.equal(items[0].key_name, 'programs signed on')
  })
