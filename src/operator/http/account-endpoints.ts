/** Accounts: listed, found, shown, created, changed and deleted. */
import Type from 'typebox'
import { accountType, apiKey, email, fullName, newPassword, text, username } from '../../accounts/fields.ts'
import { addressTaken, isGuestAccount, noKeyToSuspend, noSuchAccount } from '../../errors/operator.ts'
import { OPERATOR_PAGE } from '../../limits/operation.ts'
import { EMAIL_CHARACTERS, MAX_CREDITS, MAX_TIER_REQUESTS } from '../../limits.ts'
import { accountJson, foundJson } from '../account-json.ts'
import { createAccount, deleteAccount, newAccount } from '../accounts.ts'
import { type ChangeOutcome, resetSecondFactor, setLimits, setSuspended, setTier } from '../changes.ts'
import { guestRefusal, type RegisteredOnly } from '../guests.ts'
import { searchAccounts } from '../search.ts'
import { accountsPage, accountView } from '../views.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import { account, accountId, EXAMPLE_ACCOUNT, page, reason, shownAccount, whoOf } from './fields.ts'

/** The account that a request names, as operators see it. Throws Failure `not_found`. */
export async function found({ store }: OperatorContext, named: string | number) {
  const view = await store.run(accountView, whoOf(named))
  if (view === null) throw noSuchAccount(named)
  return view
}

const list = operatorEndpoint({
  verb: 'list',
  role: 'viewer',
  method: 'GET',
  path: '/operator/v1/accounts',
  title: 'Accounts',
  summary: 'Lists the accounts by number, guests included.',
  query: Type.Object(page),
  input: null,
  output: Type.Object({
    items: Type.Array(shownAccount),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  failures: [],
  example: { input: null, output: { items: [EXAMPLE_ACCOUNT], next_cursor: null } },
  async handle({ store, tiers }, { query: { cursor, limit = 50 } }) {
    const after = cursor === undefined ? 0 : Number(cursor)
    const views = await store.run(accountsPage, { after, limit })
    return {
      items: views.map((view) => accountJson(view, tiers)),
      next_cursor: views.length < limit ? null : String(views.at(-1)!.accountId),
    }
  },
})

const search = operatorEndpoint({
  verb: null,
  role: 'viewer',
  method: 'GET',
  path: '/operator/v1/search',
  title: 'Search',
  summary:
    'Finds accounts by the beginning of an e-mail address, by their number, by a key or the prefix of a team key, and by a request id.',
  query: Type.Object({
    q: Type.String({ description: 'what is known', minLength: 1, maxLength: EMAIL_CHARACTERS.most }),
  }),
  input: null,
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        matched_by: Type.Enum(['number', 'email', 'key', 'request_id'], { description: 'what agreed' }),
        account: shownAccount,
      }),
    ),
  }),
  failures: [],
  example: { input: null, output: { items: [{ matched_by: 'email' as const, account: EXAMPLE_ACCOUNT }] } },
  async handle({ hashesOfKey, store, tiers }, { query: { q } }) {
    const text = q.trim()
    const found = await store.run(searchAccounts, {
      ...{ text, limit: OPERATOR_PAGE.usual },
      hashes: hashesOfKey(text),
    })
    return {
      items: found.map(({ account, by }) => ({ matched_by: by, account: accountJson(account, tiers) })),
    }
  },
})

const show = operatorEndpoint({
  verb: 'show',
  role: 'viewer',
  method: 'GET',
  path: '/operator/v1/accounts/show',
  title: 'One account',
  summary: 'Returns an account with its credits, limits and the state of its key. No secret is shown.',
  query: Type.Object({ account: text('e-mail address or number of the account') }),
  input: null,
  output: shownAccount,
  failures: ['not_found'],
  example: { input: null, output: EXAMPLE_ACCOUNT },
  handle: async (context, { query }) => foundJson(await found(context, query.account), context.tiers),
})

const create = operatorEndpoint({
  verb: 'create',
  role: 'admin',
  method: 'POST',
  path: '/operator/v1/accounts/create',
  title: 'Create an account',
  summary:
    'Creates a verified account without sending a mail. Returns its key and, unless one was sent, a generated password, which is shown only now.',
  query: null,
  input: Type.Object({
    email,
    username: Type.Optional(username),
    full_name: Type.Optional(fullName),
    password: Type.Optional(newPassword),
    account_type: Type.Optional(accountType()),
    credits: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_CREDITS, description: 'initial credits' }),
    ),
    reason,
  }),
  output: Type.Object({
    account: shownAccount,
    api_key: apiKey,
    password: Type.Optional(text('the password')),
  }),
  failures: ['conflict'],
  example: {
    input: { email: 'ada@example.org' },
    output: {
      account: EXAMPLE_ACCOUNT,
      api_key: 'qd_user_4fPqZ0s8Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB',
      password: 'q4WmX9vTz1LrKc7NbYpE',
    },
  },
  async handle(context, { event, input }) {
    const {
      account: made,
      apiKey,
      password,
    } = await newAccount(context, {
      ...{ email: input.email, username: input.username, fullName: input.full_name },
      ...{ password: input.password, tier: input.account_type ?? 'free', event: event() },
      credits: input.credits ?? context.initialCredits.registered,
    })
    const created = await context.store.run(createAccount, made)
    if (created === null) throw addressTaken()
    return {
      account: foundJson(await found(context, created.accountId), context.tiers),
      api_key: apiKey,
      ...(input.password === undefined && { password }),
    }
  },
})

const changed = Type.Object({
  changed: Type.Boolean({ description: 'false: the account was in that state already' }),
  account: shownAccount,
})
const EXAMPLE_CHANGE = { changed: true, account: EXAMPLE_ACCOUNT }

async function change(
  context: OperatorContext,
  id: number,
  outcome: ChangeOutcome,
  of: RegisteredOnly | null,
) {
  if (outcome === 'no_account') throw noSuchAccount(id)
  if (outcome === 'guest' && of !== null) throw isGuestAccount(guestRefusal(id, of))
  return { changed: outcome === 'changed', account: foundJson(await found(context, id), context.tiers) }
}

const suspension = (verb: 'suspend' | 'unsuspend', title: string, summary: string) =>
  operatorEndpoint({
    ...{ verb, role: 'support', method: 'POST', title, summary },
    path: `/operator/v1/accounts/${verb}`,
    query: null,
    input: Type.Object({ account, reason }),
    output: changed,
    failures: ['not_found', 'conflict'],
    example: { input: { account: 'ada@example.org' }, output: EXAMPLE_CHANGE },
    async handle(context, { event, input }) {
      const { accountId: id } = await found(context, input.account)
      const suspended = verb === 'suspend'
      const outcome = await context.store.run(setSuspended, { accountId: id, suspended, event: event() })
      if (outcome === 'no_key') throw noKeyToSuspend()
      return await change(context, id, outcome, null)
    },
  })

const setTierEndpoint = operatorEndpoint({
  verb: 'set-tier',
  role: 'admin',
  method: 'POST',
  path: '/operator/v1/accounts/set-tier',
  title: 'Set the account type',
  summary: 'Sets the account type, and with it the hourly limit unless the account has its own.',
  query: null,
  input: Type.Object({ account, account_type: accountType(), reason }),
  output: changed,
  failures: ['not_found', 'conflict'],
  example: { input: { account: 17, account_type: 'pro' as const }, output: EXAMPLE_CHANGE },
  async handle(context, { event, input }) {
    const { accountId: id } = await found(context, input.account)
    const outcome = await context.store.run(setTier, {
      accountId: id,
      tier: input.account_type,
      event: event(),
    })
    return await change(context, id, outcome, 'tier')
  },
})

const limit = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_TIER_REQUESTS }), Type.Null()], { description }),
  )

const setLimitsEndpoint = operatorEndpoint({
  verb: 'set-limits',
  role: 'admin',
  method: 'POST',
  path: '/operator/v1/accounts/set-limits',
  title: 'Set limits of one account',
  summary:
    'Sets an hourly or daily limit for one account, or the balance of which `credits.low` tells; null restores that of its type or of the service.',
  query: null,
  input: Type.Object({
    account,
    hour: limit('computations an hour; null: those of the type'),
    day: limit('computations a day; null: those of the type'),
    low_credits: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: MAX_CREDITS }), Type.Null()], {
        description: 'balance of which the event credits.low tells; 0: none; null: that of the service',
      }),
    ),
    reason,
  }),
  output: changed,
  failures: ['not_found', 'conflict'],
  example: { input: { account: 17, hour: 20_000 }, output: EXAMPLE_CHANGE },
  async handle(context, { event, input: { account: named, day, hour, low_credits: lowCredits } }) {
    const { accountId: id } = await found(context, named)
    const given = Object.entries({ hour, day, lowCredits }).filter(([, limit]) => limit !== undefined)
    return await change(
      context,
      id,
      await context.store.run(setLimits, { accountId: id, ...Object.fromEntries(given), event: event() }),
      'limits',
    )
  },
})

const resetMfa = operatorEndpoint({
  verb: 'reset-mfa',
  role: 'support',
  method: 'POST',
  path: '/operator/v1/accounts/reset-mfa',
  title: 'Switch off a second factor',
  summary:
    'Switches off the second factor of an account whose owner has lost it; the password alone logs in.',
  query: null,
  input: Type.Object({ account, reason }),
  output: changed,
  failures: ['not_found', 'conflict'],
  example: { input: { account: 17 }, output: EXAMPLE_CHANGE },
  async handle(context, { event, input }) {
    const { accountId: id } = await found(context, input.account)
    return await change(
      context,
      id,
      await context.store.run(resetSecondFactor, { accountId: id, event: event() }),
      'second_factor',
    )
  },
})

const remove = operatorEndpoint({
  verb: 'delete-account',
  role: 'admin',
  method: 'POST',
  path: '/operator/v1/accounts/delete',
  title: 'Delete an account',
  summary:
    'Deletes an account, and the guests it has taken over: its keys, credits, secrets, address, names and client addresses. Its calls and movements of credits stay without its owner.',
  query: null,
  input: Type.Object({ account, reason }),
  output: Type.Object({ account_id: accountId, deleted: Type.Literal(true) }),
  failures: ['not_found'],
  example: { input: { account: 17 }, output: { account_id: 17, deleted: true as const } },
  async handle(context, { event, input }) {
    const { accountId: id } = await found(context, input.account)
    if (!(await deleteAccount(context.store, { accountId: id, event: event() }))) throw noSuchAccount(id)
    return { account_id: id, deleted: true as const }
  },
})

export const accountEndpoints = [
  ...[search, list, show, create],
  suspension('suspend', 'Suspend an account', 'Suspends every key of the account from the next request on.'),
  suspension('unsuspend', 'Lift a suspension', 'Restores the keys of a suspended account.'),
  ...[setTierEndpoint, setLimitsEndpoint, resetMfa, remove],
]
