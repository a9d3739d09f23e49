/**
 * Sign-on of account owners in the console. The callback of the provider sets a ticket in a cookie, which only requests of the
 * console may use. The console exchanges it for the API key, with the second factor where the account has one.
 */

import { findAccount, isRegistered, type RegisteredAccount } from '../../accounts/account.ts'
import type { AccountContext } from '../../accounts/account-endpoint.ts'
import { perIp } from '../../accounts/attempts.ts'
import { mfaCode } from '../../accounts/field-schemas.ts'
import { keyOf } from '../../accounts/login.ts'
import { checkSecondFactor } from '../../accounts/second-factor.ts'
import { redirectionRoute, signOnRoutes } from '../../accounts/sign-on/browser-routes.ts'
import { type SealedCookie, sealedCookie } from '../../accounts/sign-on/cookies.ts'
import { endAtProvider } from '../../accounts/sign-on/flow.ts'
import type { Provider } from '../../accounts/sign-on/provider.ts'
import { accountOfPerson } from '../../accounts/sign-on.ts'
import { signOnExpired } from '../../base/errors/accounts.ts'
import type { Failure } from '../../base/failure.ts'
import { Type } from '../../base/type.ts'
import type { Receiver } from '../../compute/body/receive.ts'
import { originOf } from '../../protocol/handler.ts'
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { inOrder, pass } from '../../protocol/order.ts'
import { type Reply, success, unsettledReply } from '../../protocol/reply.ts'
import { browserRoute } from './routes.ts'
import type { Route } from './server.ts'

export interface AccountSignOn {
  readonly provider: Provider
  readonly accounts: AccountContext
  readonly receiver: Receiver
  readonly ipLimits: boolean
  /** Whether a person without an account gets one. */
  readonly registration: boolean
  /** Whether addresses are taken that the provider does not call verified. */
  readonly trustEmail: boolean
  readonly onInternalError: OnInternalError
  /** The failure of every request without a key; null: there is room for what it writes. */
  readonly refuseUnpaid: () => Failure | null
}

const PATH = '/user/sign-on'

interface Ticket {
  readonly accountId: number
}

type Opened = ReturnType<SealedCookie<Ticket>['read']>

const exchange = inputReader<{ mfa_code?: string }>(Type.Object({ mfa_code: Type.Optional(mfaCode) }))

export function accountSignOn(parts: AccountSignOn): Route[] {
  const { accounts, onInternalError, provider } = parts
  const limit = parts.ipLimits ? perIp.guesses : null
  const page = { back: '/#/login', styles: '/assets/app.css' }
  const ticket = sealedCookie<Ticket>(accounts, { name: 'quantd_ticket', path: PATH, sameSite: 'Strict' })
  const refusal = parts.refuseUnpaid
  const signOn = { ...accounts, provider, onInternalError, path: PATH, limit, page, refusal }
  const inBrowser = [
    ...signOnRoutes(signOn, async (incoming, person) => {
      const { registration, trustEmail } = parts
      const vouched = { person, provider: provider.name, registration, trustEmail }
      const accountId = await accountOfPerson(accounts, vouched, originOf(incoming))
      return { location: '/#/sign-on', cookies: [ticket.set(incoming, { accountId })] }
    }),
    // Without the token of the sign-on, the provider asks the person first: no other page can end their session there.
    redirectionRoute(signOn, `${PATH}/end`, async (incoming) => ({
      location: (await endAtProvider(provider, incoming, null)) ?? '/',
      cookies: [],
    })),
  ]
  return [
    ...inBrowser.map(browserRoute),
    {
      method: 'POST',
      path: `${PATH}/key`,
      answer: keyServer(parts, ticket),
    },
    {
      method: 'POST',
      path: `${PATH}/person`,
      answer: personServer(parts, ticket),
    },
  ]
}

/** Throws Failure `sign_on_failed`. */
function opened(ticket: SealedCookie<Ticket>, incoming: Incoming): Opened {
  // Pages of other services on this host get the cookie, too, and may not use it.
  if (incoming.headers['sec-fetch-site'] !== 'same-origin') throw signOnExpired()
  return ticket.read(incoming)
}

/** Tells whose ticket it is, which stays valid: a page that did not begin the sign-on asks before it takes the key. */
const personServer = ({ accounts, onInternalError }: AccountSignOn, ticket: SealedCookie<Ticket>) =>
  inOrder({
    authenticate: async (incoming: Incoming) => opened(ticket, incoming),
    receive: async (incoming: Incoming, { value }: Opened) => ({ incoming, value }),
    async admit({ incoming, value }: { incoming: Incoming; value: Ticket }) {
      const account = await accounts.store.run(findAccount, { accountId: value.accountId })
      if (!isRegistered(account)) throw signOnExpired()
      return { incoming, account }
    },
    act: async ({ account, incoming }: { incoming: Incoming; account: RegisteredAccount }) => ({
      incoming,
      data: { email: account.email },
    }),
    settle: pass,
    reply: ({ data, incoming }): Reply => success(JSON.stringify(data), incoming.requestId),
    refuse: (error, { requestId }: Incoming): Reply => unsettledReply(error, onInternalError, requestId),
  })

/** Exchanges the ticket, once, for the account's key, as a login does. */
const keyServer = ({ accounts, onInternalError, receiver }: AccountSignOn, ticket: SealedCookie<Ticket>) =>
  inOrder({
    authenticate: async (incoming: Incoming) => opened(ticket, incoming),
    async receive(incoming: Incoming, { use, value }: Opened) {
      const { mfa_code: code } = await exchange(receiver, incoming)
      return { incoming, use, value, code }
    },
    async admit({ code, incoming, use, value }: Opened & { incoming: Incoming; code: string | undefined }) {
      const account = await accounts.store.run(findAccount, { accountId: value.accountId })
      if (!isRegistered(account)) throw signOnExpired()
      await checkSecondFactor(accounts, account, code, originOf(incoming))
      await use()
      return { incoming, account }
    },
    async act({ account, incoming }: { incoming: Incoming; account: RegisteredAccount }) {
      return { incoming, data: await keyOf(accounts, account, originOf(incoming)) }
    },
    settle: pass,
    reply: ({ data, incoming }): Reply => ({
      ...success(JSON.stringify(data), incoming.requestId),
      headers: ['set-cookie', ticket.forget(incoming)],
    }),
    refuse: (error, { requestId }: Incoming): Reply => unsettledReply(error, onInternalError, requestId),
  })
