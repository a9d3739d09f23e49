/**
 * Accounts: listed, found, shown, created, changed and deleted; and one in detail: the use of its limits, its grants, keys and usage,
 * and the pages of its history.
 */

import { windowUse } from '../../accounts/credits.ts'
import {
  accountType,
  apiKey,
  email,
  fullName,
  newPassword,
  nullable,
  text,
  username,
  whole,
} from '../../accounts/field-schemas.ts'
import { teamKeys } from '../../accounts/team-keys/lineages.ts'
import { shown, shownKey } from '../../accounts/team-keys/list.ts'
import { pageOfUsage, summaryOf, summaryOutput, usageOutput, usageQuery } from '../../accounts/usage.ts'
import { addressTaken, grantSeparately, noSuchAccount } from '../../base/errors/operator.ts'
import { EMAIL_CHARACTERS, MAX_CREDITS } from '../../base/limits/callers.ts'
import { OPERATOR_PAGE } from '../../base/limits/operation.ts'
import { grouped } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { createAccount, newAccount } from '../account-changes.ts'
import {
  accountJson,
  accountsPage,
  accountText,
  accountView,
  foundJson,
  movements,
  searchAccounts,
} from '../accounts.ts'
import { loneAct, runAlone } from '../approvals.ts'
import { needsSecond } from '../roles.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import {
  cursorAfter,
  EXAMPLE_ACCOUNT,
  idIn,
  nextCursor,
  orNull,
  page,
  reason,
  referenceOf,
  shownAccount,
} from './field-schemas.ts'

/** The account that a request names, as operators see it. Throws Failure `not_found`. */
export async function found({ store }: OperatorContext, named: string | number) {
  const view = await store.run(accountView, referenceOf(named))
  if (view === null) throw noSuchAccount(named)
  return view
}

export const jsonOfAccount = async (context: OperatorContext, named: string | number) =>
  foundJson(await found(context, named), context.plan())

const list = operatorEndpoint({
  verb: 'list',
  role: 'viewer',
  path: '/operator/v1/accounts',
  title: 'Accounts',
  summary: 'Lists the accounts by number, guests included.',
  query: Type.Object(page),
  output: Type.Object({
    items: Type.Array(shownAccount),
    next_cursor: nextCursor,
  }),
  example: { output: { items: [EXAMPLE_ACCOUNT], next_cursor: null } },
  async handle({ plan, store }, { query: { cursor, limit = 50 } }) {
    const views = await store.run(accountsPage, { after: idIn(cursor) ?? 0, limit })
    return {
      items: views.map((view) => accountJson(view, plan())),
      next_cursor: cursorAfter(views, limit, ({ accountId }) => accountId),
    }
  },
})

const search = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/search',
  title: 'Search',
  summary:
    'Finds accounts by the beginning of an e-mail address, by their number, by a key or the prefix of a team key, and by a request id.',
  query: Type.Object({
    q: Type.String({ description: 'text to search for', minLength: 1, maxLength: EMAIL_CHARACTERS.most }),
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        matched_by: Type.Enum(['number', 'email', 'key', 'request_id'], {
          description: 'property that agreed',
        }),
        account: shownAccount,
      }),
    ),
  }),
  example: { output: { items: [{ matched_by: 'email' as const, account: EXAMPLE_ACCOUNT }] } },
  async handle({ hashesOfKey, plan, store }, { query: { q } }) {
    const limits = plan()
    const text = q.trim()
    const hashes = hashesOfKey(text)
    const found = await store.run(searchAccounts, { text, hashes, limit: OPERATOR_PAGE.usual })
    return {
      items: found.map(({ account, by }) => ({ matched_by: by, account: accountJson(account, limits) })),
    }
  },
})

const show = operatorEndpoint({
  verb: 'show',
  role: 'viewer',
  path: '/operator/v1/accounts/show',
  title: 'One account',
  summary: 'Returns an account with its credits, limits and the state of its key. No secret is shown.',
  query: Type.Object({ account: text('e-mail address or number of the account') }),
  output: shownAccount,
  failures: ['not_found'],
  command: {
    examples: [
      ['show ada@example.org', 'by e-mail address'],
      ['show 17 --json', 'by number, for a script'],
    ],
    text: (_, { account, plan }) => accountText(account!, plan),
  },
  example: { output: EXAMPLE_ACCOUNT },
  handle: (context, { query }) => jsonOfAccount(context, query.account),
})

const create = operatorEndpoint({
  verb: 'create',
  role: 'admin',
  path: '/operator/v1/accounts/create',
  secrets: ['api_key', 'password'],
  title: 'Create an account',
  summary:
    'Creates a verified account without sending a mail. Returns its key and, unless one was given, a generated password, which is shown only now.',
  input: Type.Object({
    email,
    username: Type.Optional(username),
    full_name: Type.Optional(fullName),
    password: Type.Optional(newPassword),
    account_type: Type.Optional(accountType),
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
  command: {
    examples: [
      [
        'create ada@example.org',
        'a free account with the initial credits of the plan and a generated password',
      ],
      ['create ada@example.org --username Ada --tier pro --credits 100000', 'an account of type pro'],
      ['create ada@example.org --password-stdin --json < password.txt', 'for a script'],
    ],
    flags: { account_type: '--tier' },
    stdin: 'password',
    needs: 'secrets',
    mayCreate: true,
  },
  said: ({ account, password }, { name }) =>
    `Created ${name} (account ${account.account_id}, ${account.account_type}); the balance is ${grouped(account.credits)}. ${password === undefined ? '' : 'The password is shown only now. '}Logging in returns the key again.`,
  example: {
    input: { email: 'ada@example.org' },
    output: {
      account: EXAMPLE_ACCOUNT,
      api_key: 'qd_user_4fPqZ0s8Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB',
      password: 'q4WmX9vTz1LrKc7NbYpE',
    },
  },
  async handle(context, { by, event, input }) {
    const { store, twoPersons } = context
    if (input.account_type !== undefined && needsSecond(twoPersons, 'set-tier', 0)) throw grantSeparately()
    const credits = input.credits ?? context.plan().initialCredits.registered
    const {
      account: made,
      apiKey,
      password,
    } = await newAccount(context, {
      email: input.email,
      username: input.username,
      fullName: input.full_name,
      password: input.password,
      tier: input.account_type ?? 'free',
      event: event(),
      credits,
    })
    const alone = loneAct(twoPersons, by.person, { act: 'grant', credits })
    const created = await runAlone(store, alone, createAccount, made)
    if (created === null) throw grantSeparately()
    if (created.result === null) throw addressTaken(input.email)
    return {
      account: await jsonOfAccount(context, created.result.accountId),
      api_key: apiKey,
      ...(input.password === undefined && { password }),
    }
  },
})

export const accountEndpoints = [search, list, show, create]

const named = text('e-mail address or number of the account')

const details = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/accounts/details',
  title: 'An account in detail',
  summary:
    'Returns the present use of the limits of an account, its grants with their references, its team keys, and its usage by operation and by day.',
  query: Type.Object({ account: named }),
  output: Type.Object({
    windows: Type.Array(
      Type.Object({
        name: Type.Enum(['hour', 'day', 'work']),
        limit: whole('computations in it; of work: processor seconds in an hour'),
        used: whole('those made or used'),
        resets_at: orNull('when the window ends; null: no window is running'),
      }),
    ),
    grants: Type.Array(
      Type.Object({
        at: text('when'),
        kind: text('grant, transfer_in, transfer_out, reversal, expired'),
        credits: Type.Number({ description: 'negative: taken away' }),
        note: orNull('the note, or the reason'),
        reference: orNull('the reference; null: none'),
        reversed: nullable(
          Type.Integer(),
          'credits of the grant that were taken back; null: the movement has no reference',
        ),
      }),
      { description: 'changes of the balance except charges, the newest first' },
    ),
    team_keys: Type.Array(Type.Object(shownKey)),
    usage: summaryOutput,
  }),
  failures: ['not_found'],
  example: {
    output: {
      windows: [{ name: 'hour' as const, limit: 500, used: 3, resets_at: '2026-01-01T13:00:00.000Z' }],
      grants: [
        {
          at: '2026-01-01T12:00:00.000Z',
          kind: 'grant',
          credits: 5_000,
          note: 'invoice 2041',
          reference: 'invoice-2041',
          reversed: 0,
        },
      ],
      team_keys: [],
      usage: {
        by_endpoint: [{ path: '/quantlib/pricing/bs/price', calls: 1, credits: 1 }],
        by_day: [{ day: '2026-01-01', calls: 1, credits: 1 }],
      },
    },
  },
  async handle(context, { query }) {
    const { history, plan, store } = context
    const account = await found(context, query.account)
    const { accountId } = account
    const { result } = await history.usageSums(accountId)
    const windows = await store.run(windowUse, accountId, plan())
    return {
      windows: windows.map(({ resetsAt, ...window }) => ({ ...window, resets_at: isoTime(resetsAt) })),
      grants: (await store.run(movements, accountId)).map(({ at, ...given }) => ({
        at: isoTime(at),
        ...given,
      })),
      team_keys: (await store.run(teamKeys, accountId)).map(shown),
      usage: await summaryOf(store, accountId, result),
    }
  },
})

const usage = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/accounts/usage',
  title: 'The history of an account',
  summary:
    'Lists the computations of an account, the newest first, as its owner sees them. With a filter a page may hold fewer items than `limit` and still have a `next_cursor`.',
  query: Type.Object({ account: named, ...usageQuery }),
  output: usageOutput,
  failures: ['not_found'],
  example: { output: { items: [], next_cursor: null } },
  async handle(context, { query: { account, ...query } }) {
    const { accountId } = await found(context, account)
    return (await pageOfUsage(context.history, accountId, query)).page
  },
})

export const detailEndpoints = [details, usage]
