/**
 * Sign-on of owners of accounts in the console. The way back from the provider leaves a ticket in a cookie that only this page's
 * own requests use; the page exchanges it for the key, with the second factor where the account has one.
 */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import { registeredAccount } from '../accounts/account.ts'
import { perIp } from '../accounts/attempt-limits.ts'
import type { AccountContext } from '../accounts/context.ts'
import { mfaCode } from '../accounts/fields.ts'
import { keyOf } from '../accounts/login.ts'
import { checkSecondFactor } from '../accounts/second-factor.ts'
import { accountOfPerson } from '../accounts/sign-on.ts'
import { parse } from '../body/parse.ts'
import type { Receiver } from '../body/receive.ts'
import { validator } from '../body/validate.ts'
import { signOnExpired } from '../errors/sign-on.ts'
import { SIGN_ON_MS } from '../limits/operation.ts'
import { ACCOUNT_BODY_BYTES } from '../limits.ts'
import type { Incoming, OnInternalError } from '../pipeline/incoming.ts'
import { bytesOf } from '../pipeline/receive.ts'
import { failureOf, success, unsettledReply } from '../pipeline/reply.ts'
import { originOf } from '../pipeline/serve-account.ts'
import { VaultError } from '../secrets/vault.ts'
import { type BrowserAnswer, failurePage, redirection } from '../sign-on/answer.ts'
import { originOf as addressOf, cookieOf, setCookie } from '../sign-on/cookie.ts'
import { signOnFlow } from '../sign-on/flow.ts'
import type { Provider } from '../sign-on/provider.ts'
import { countAttempt } from '../store/attempts.ts'
import { printed } from './printed-reply.ts'
import { browserRoute } from './routes.ts'
import type { Route } from './server.ts'

export interface AccountSignOn {
  readonly provider: Provider
  readonly accounts: AccountContext
  readonly receiver: Receiver
  readonly ipLimits: boolean
  /** Whether accounts may be made. */
  readonly registration: boolean
  readonly onInternalError: OnInternalError
}

const PATH = '/user/sign-on'
const TICKET = 'quantd_ticket'

interface Ticket {
  readonly accountId: number
  readonly at: number
}

const exchange = validator<{ mfa_code?: string }>(Type.Object({ mfa_code: Type.Optional(mfaCode) }))

export function accountSignOn(parts: AccountSignOn): Route[] {
  const { accounts, onInternalError, provider } = parts
  const limit = parts.ipLimits ? perIp.guesses : null
  const flow = signOnFlow({ ...accounts, provider, path: PATH, limit })
  const inBrowser = (path: string, handle: (incoming: Incoming) => Promise<BrowserAnswer>): Route =>
    browserRoute({
      path,
      answer: (incoming) =>
        handle(incoming).catch((error) => {
          const failure = failureOf(error, onInternalError, incoming.requestId)
          return failurePage(incoming.requestId, failure, { back: '/#/login', styles: '/assets/app.css' })
        }),
    })
  return [
    inBrowser(PATH, async (incoming) => {
      const { cookie, location } = await flow.begin(incoming)
      return redirection(incoming.requestId, location, [cookie])
    }),
    inBrowser(`${PATH}/callback`, async (incoming) => {
      const { claims } = await flow.finish(incoming)
      const vouched = { claims, provider: provider.name }
      const accountId = await accountOfPerson(accounts, vouched, originOf(incoming), parts.registration)
      const cookies = [flow.forget(incoming), ticketCookie(incoming, sealed(accounts, accountId))]
      return redirection(incoming.requestId, '/#/sign-on', cookies)
    }),
    // Without the token of the sign-on the provider asks first: no other page can end the person's session there.
    inBrowser(`${PATH}/end`, async (incoming) => {
      const origin = addressOf(incoming.headers)
      const end = origin === null ? null : await provider.endUrl(null, `${origin}/`).catch(() => null)
      return redirection(incoming.requestId, end ?? '/', [])
    }),
    {
      ...{ method: 'POST', path: `${PATH}/key` },
      answer: async (incoming) =>
        printed(
          await keyFor(parts, incoming).catch((error) =>
            unsettledReply(error, onInternalError, incoming.requestId),
          ),
        ),
    },
  ]
}

const ticketCookie = ({ headers }: Incoming, value: string) =>
  setCookie(headers, {
    ...{ name: TICKET, value, path: PATH, sameSite: 'Strict', lifeMs: value === '' ? 0 : SIGN_ON_MS },
  })

function sealed({ vault }: AccountContext, accountId: number): string {
  const ticket: Ticket = { accountId, at: Date.now() }
  const { masterKeyId, sealed } = vault.seal('sign-on', JSON.stringify(ticket), [TICKET])
  return `${masterKeyId}.${Buffer.from(sealed).toString('base64url')}`
}

function opened({ vault }: AccountContext, text: string): Ticket {
  const [masterKeyId, sealed = ''] = text.split('.')
  try {
    return JSON.parse(
      vault.open('sign-on', { masterKeyId, sealed: Buffer.from(sealed, 'base64url') }, [TICKET]),
    )
  } catch (error) {
    throw error instanceof VaultError ? signOnExpired() : error
  }
}

/** As a login: the current key, once. Throws Failure. */
async function keyFor({ accounts, receiver }: AccountSignOn, incoming: Incoming) {
  // No page of another service of this host may use the cookie.
  if (incoming.headers['sec-fetch-site'] !== 'same-origin') throw signOnExpired()
  const text = cookieOf(incoming.headers, TICKET) ?? ''
  const { accountId, at } = opened(accounts, text)
  if (at + SIGN_ON_MS < Date.now()) throw signOnExpired()
  const lease = receiver.lease()
  const bytes = await bytesOf(lease, incoming, { required: false, limitBytes: ACCOUNT_BODY_BYTES }).finally(
    () => lease.release(),
  )
  const { mfa_code: code } = exchange.validate(bytes.length === 0 ? {} : parse(bytes))
  const account = await registeredAccount(accounts, accountId)
  const origin = originOf(incoming)
  await checkSecondFactor(accounts, account, code, origin)
  const subject = createHash('sha256').update(text).digest('hex')
  const use = { scope: 'sign-on ticket', subject, limit: 1, windowMs: 2 * SIGN_ON_MS }
  if (!(await accounts.store.run(countAttempt, [use])).ok) throw signOnExpired()
  const data = await keyOf(accounts, account, origin)
  return {
    ...success(JSON.stringify(data), incoming.requestId),
    headers: ['set-cookie', ticketCookie(incoming, '')],
  }
}
