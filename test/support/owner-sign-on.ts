/** A test service whose owners sign on at a provider, and their way there and back. */
import { freePort } from './free-port.ts'
import { type IdentityProvider, providerSettings, startProvider, walker } from './identity-provider.ts'
import { type PeopleService, startWithoutIpLimits } from './people.ts'

export type Walker = ReturnType<typeof walker>

export interface SignOnService {
  readonly provider: IdentityProvider
  /** Those of the service, for others at the same provider. */
  readonly settings: Readonly<Record<string, string>>
  readonly service: PeopleService
}

/** @param more settings besides those of the sign-on */
export async function startSignOn(more: Readonly<Record<string, string>> = {}): Promise<SignOnService> {
  const port = await freePort()
  const provider = await startProvider([callbackOf(`http://127.0.0.1:${port}`)])
  const settings = {
    PORT: String(port),
    ...providerSettings(provider),
    OIDC_ACCOUNTS: 'on',
    ...more,
  }
  return { provider, settings, service: await startWithoutIpLimits(settings) }
}

export const callbackOf = (url: string): string => `${url}/user/sign-on/callback`

/** The way of the provider's person to the provider and back to the service. */
export async function goAndReturn(url: string) {
  const browser = walker()
  const { next, response } = await browser.go(await browser.until(`${url}/user/sign-on`, callbackOf(url)))
  return { browser, next, response }
}

/** Asks for the key, as the page does after the return. */
export async function exchange(url: string, { go }: Pick<Walker, 'go'>, body = {}, site = 'same-origin') {
  const { response } = await go(`${url}/user/sign-on/key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(site && { 'sec-fetch-site': site }) },
    body: JSON.stringify(body),
  })
  const reply = (await response.json()) as {
    data: { api_key: string; user: Record<string, unknown> }
    error: { code: string }
  }
  return { status: response.status, code: reply.error?.code, data: reply.data }
}
