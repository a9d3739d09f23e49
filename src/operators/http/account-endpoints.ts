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
  givenInstant,
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
import { grouped } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { cursorOf } from '../../ledger/store/page-cursors.ts'
import { createAccount, newAccount } from '../account-changes.ts'
import { type AccountFilter, type AccountOrder, accountsPage, ORDERS } from '../account-list.ts'
import { accountJson, accountText, accountView, foundJson, movements } from '../accounts.ts'
import { loneAct, runAlone } from '../approvals.ts'
import { needsSecond } from '../roles.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import {
  EXAMPLE_ACCOUNT,
  nextCursor,
  orNull,
  page,
  placeAfter,
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

/** The columns of a place in a list of accounts. */
const PLACE = { value: 'number', id: 'number' } as const

const list = operatorEndpoint({
  verb: 'list',
  role: 'viewer',
  path: '/operator/v1/accounts',
  title: 'Accounts',
  summary:
    'Lists the accounts, guests included. `q` finds them by the words of addresses and names, by domains, by the names of team keys, by their number, and by a key or its start. An order by credits or use compares the newest 500,000 accounts on SQLite; `complete` says whether these are all.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ description: 'text to search for', minLength: 1, maxLength: EMAIL_CHARACTERS.most }),
    ),
    account_type: Type.Optional(
      Type.Enum(['registered', 'guest', 'free', 'basic', 'standard', 'pro'], {
        description: 'account type; registered: all but guests',
      }),
    ),
    state: Type.Optional(
      Type.Enum(['active', 'suspended', 'revoked'], { description: 'state of the own key' }),
    ),
    min_credits: Type.Optional(Type.Integer({ minimum: 0, description: 'with at least so many credits' })),
    max_credits: Type.Optional(Type.Integer({ minimum: 0, description: 'with at most so many credits' })),
    used_since: Type.Optional(givenInstant('that computed in the hour from this time on, or later')),
    unused_since: Type.Optional(givenInstant('that made no computation since this time')),
    sort: Type.Optional(
      Type.Enum(Object.keys(ORDERS) as AccountOrder[], {
        description: 'order; by age, credits or last use',
        default: 'oldest',
      }),
    ),
    ...page,
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        ...shownAccount.properties,
        found_by: Type.Optional(
          Type.Enum(['number', 'key', 'team_key'], {
            description: 'what `q` agreed with; absent: address or names',
          }),
        ),
      }),
    ),
    complete: Type.Boolean({ description: 'whether no account was left out of the order' }),
    next_cursor: nextCursor,
  }),
  example: { output: { items: [EXAMPLE_ACCOUNT], complete: true, next_cursor: null } },
  async handle(
    { hashesOfKey, plan, reads },
    { query: { cursor, limit = 50, q, sort = 'oldest', ...given } },
  ) {
    const text = q?.normalize('NFC').trim() || undefined
    const { isCut, items, next } = await reads.run(accountsPage, {
      after: placeAfter(cursor, PLACE),
      filter: { ...accountFilter(given), text, ...(text !== undefined && { hashes: hashesOfKey(text) }) },
      limit,
      order: sort,
    })
    return {
      items: items.map(({ foundBy, ...view }) => ({
        ...accountJson(view, plan()),
        ...(foundBy !== null && { found_by: foundBy }),
      })),
      complete: !isCut,
      next_cursor: next && cursorOf(PLACE, next),
    }
  },
})

interface GivenFilter {
  readonly account_type?: AccountFilter['type']
  readonly state?: AccountFilter['state']
  readonly min_credits?: number
  readonly max_credits?: number
  readonly used_since?: string
  readonly unused_since?: string
}

/** The filter of a list, from the fields of a request. */
export const accountFilter = (given: GivenFilter): AccountFilter => ({
  type: given.account_type,
  state: given.state,
  ...((given.min_credits ?? given.max_credits) !== undefined && {
    credits: { least: given.min_credits ?? 0, most: given.max_credits ?? Number.MAX_SAFE_INTEGER },
  }),
  ...((given.used_since ?? given.unused_since) !== undefined && {
    used: {
      from: given.used_since === undefined ? 0 : Date.parse(given.used_since),
      to: given.unused_since === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(given.unused_since),
    },
  }),
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

export const accountEndpoints = [list, show, create]

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
