/** Accounts: suspended, changed and deleted. */
import { eraseRemains } from '../../accounts/delete-account.ts'
import { accountType, nullable } from '../../accounts/field-schemas.ts'
import { MAX_CREDITS, MAX_TIER_REQUESTS, MAX_TIER_WORK } from '../../base/limits/callers.ts'
import { grouped, plural } from '../../base/text.ts'
import { Type } from '../../base/type.ts'
import { endAccount, resetSecondFactor, setLimits, setSuspended, setTier } from '../account-changes.ts'
import type { TwoPersonAct } from '../roles.ts'
import { found, jsonOfAccount } from './account-endpoints.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import { account, accountId, EXAMPLE_ACCOUNT, reason, shownAccount } from './field-schemas.ts'

const changed = Type.Object({
  changed: Type.Boolean({ description: 'false: the account was in that state already' }),
  account: shownAccount,
})
const EXAMPLE_CHANGE = { changed: true, account: EXAMPLE_ACCOUNT }

const after = async (context: OperatorContext, id: number, changed: boolean) => ({
  changed,
  account: await jsonOfAccount(context, id),
})

/** The declaration of an act without credits that may need a second person. */
const twoPersons = (act: TwoPersonAct) => ({ act, credits: () => 0 })

const SUSPENSIONS = {
  suspend: {
    title: 'Suspend an account',
    summary: 'Suspends every key of the account from the next request on.',
    undoneBy: 'unsuspend',
    done: (name: string) => `Suspended ${name}: every key is refused from the next request on.`,
    before: (name: string) => `${name} was suspended before; nothing was changed.`,
  },
  unsuspend: {
    title: 'Lift a suspension',
    summary: 'Restores the keys of a suspended account.',
    undoneBy: 'suspend',
    done: (name: string) => `Lifted the suspension of ${name}: its keys are accepted again.`,
    before: (name: string) => `${name} was not suspended; nothing was changed.`,
  },
} as const

function suspension(verb: keyof typeof SUSPENSIONS) {
  const { before, done, summary, title, undoneBy } = SUSPENSIONS[verb]
  return operatorEndpoint({
    verb,
    role: 'support',
    title,
    summary,
    path: `/operator/v1/accounts/${verb}`,
    input: Type.Object({ account, reason }),
    output: changed,
    failures: ['not_found', 'conflict'],
    command: {
      examples: [
        [`${verb} ada@example.org`, 'takes effect at the next request, on every node'],
        [`${verb} 17 --json`, 'by number, for a script'],
      ],
    },
    said: ({ changed }, { name }) => (changed ? done(name) : before(name)),
    undo: ({ account, changed }) =>
      changed ? { path: `/operator/v1/accounts/${undoneBy}`, body: { account: account.account_id } } : null,
    example: { input: { account: 'ada@example.org' }, output: EXAMPLE_CHANGE },
    async handle(context, { act, event, input }) {
      const { accountId: id } = await found(context, input.account)
      const suspended = verb === 'suspend'
      return after(context, id, await act(setSuspended, { accountId: id, suspended, event: event() }))
    },
  })
}

const setTierEndpoint = operatorEndpoint({
  verb: 'set-tier',
  role: 'admin',
  path: '/operator/v1/accounts/set-tier',
  twoPersons: twoPersons('set-tier'),
  title: 'Set the account type',
  summary: 'Sets the account type, and with it the limits that were not set for the account itself.',
  input: Type.Object({ account, account_type: accountType, reason }),
  output: changed,
  failures: ['not_found', 'conflict'],
  command: {
    examples: [['set-tier ada@example.org pro', 'raises the hourly limit to 5,000 computations']],
  },
  said({ account, changed }, { account: before, name }) {
    const type = account.account_type
    if (!changed) return `The type of ${name} was ${type} before; nothing was changed.`
    return `Changed the type of ${name} from ${before?.account_type} to ${type}.`
  },
  undo: ({ account, changed }, { account: before }) =>
    changed && before !== null
      ? {
          path: '/operator/v1/accounts/set-tier',
          body: { account: account.account_id, account_type: before.account_type },
        }
      : null,
  example: {
    input: { account: 17, account_type: 'pro' as const },
    output: { changed: true, account: { ...EXAMPLE_ACCOUNT, account_type: 'pro' } },
  },
  async handle(context, { act, event, input }) {
    const { accountId: id } = await found(context, input.account)
    const tier = input.account_type
    return after(context, id, await act(setTier, { accountId: id, tier, event: event() }))
  },
})

const limit = (maximum: number, texts: { readonly title?: string; readonly description: string }) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Null()], texts))

const setLimitsEndpoint = operatorEndpoint({
  verb: 'set-limits',
  role: 'admin',
  path: '/operator/v1/accounts/set-limits',
  twoPersons: twoPersons('set-limits'),
  title: 'Set limits of one account',
  summary:
    'Sets the hourly or daily limit of one account, its processor time, or the balance at which the event `credits.low` is sent. A value of null restores the limit of the account type, or the balance of the plan.',
  input: Type.Object({
    account,
    hour: limit(MAX_TIER_REQUESTS, {
      title: 'An hour',
      description: 'computations an hour; null: those of the type',
    }),
    day: limit(MAX_TIER_REQUESTS, {
      title: 'A day',
      description: 'computations a day; null: those of the type',
    }),
    work: limit(MAX_TIER_WORK, { description: 'processor seconds an hour; null: those of the type' }),
    low_credits: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: MAX_CREDITS }),
        'balance at which the event credits.low is sent; 0: never; null: that of the plan',
      ),
    ),
    reason,
  }),
  output: changed,
  failures: ['not_found', 'conflict'],
  command: {
    examples: [
      ['set-limits ada@example.org --hour 20000', 'set an hourly limit'],
      ['set-limits ada@example.org --hour 20000 --day 100000', 'set both limits'],
      ['set-limits ada@example.org --work 3600', 'set the processor seconds an hour'],
      ['set-limits ada@example.org --low-credits 500', 'send credits.low earlier'],
      ['set-limits ada@example.org --day default', 'restore the daily limit of its type'],
      ['set-limits ada@example.org default', 'restore all of them'],
    ],
  },
  said({ account: { limits, low_credits: low }, changed }, { name }) {
    const daily = limits.day === null ? 'without a daily limit' : `${grouped(limits.day)} a day`
    const lowText = low === null ? '' : `, and credits are low at ${grouped(low)}`
    const all = `${grouped(limits.hour)} computations an hour, ${daily}, with ${grouped(limits.work)} processor seconds an hour${lowText}`
    return `${name} ${changed ? 'may now make' : 'could make before'} ${all}${changed ? '' : '; nothing was changed'}.`
  },
  undo({ account, changed }, { account: before, given }) {
    if (!changed || before === null) return null
    const { own_day: day, own_hour: hour, own_work: work } = before.limits
    const own = { hour, day, work, low_credits: before.low_credits }
    const values = Object.entries(own).filter(([name]) => given[name as keyof typeof own] !== undefined)
    return {
      path: '/operator/v1/accounts/set-limits',
      body: { account: account.account_id, ...Object.fromEntries(values) },
    }
  },
  example: { input: { account: 17, hour: 20_000 }, output: EXAMPLE_CHANGE },
  async handle(context, { act, event, input: { account: named, low_credits: lowCredits, day, hour, work } }) {
    const { accountId: id } = await found(context, named)
    const given = Object.entries({ hour, day, work, lowCredits }).filter(([, limit]) => limit !== undefined)
    const limits = { accountId: id, ...Object.fromEntries(given), event: event() }
    return after(context, id, await act(setLimits, limits))
  },
})

const resetMfa = operatorEndpoint({
  verb: 'reset-mfa',
  role: 'support',
  path: '/operator/v1/accounts/reset-mfa',
  final: true,
  twoPersons: twoPersons('reset-mfa'),
  title: 'Switch off a second factor',
  summary:
    'Switches off the second factor of an account whose owner has lost it; the password alone logs in.',
  input: Type.Object({ account, reason }),
  output: changed,
  failures: ['not_found', 'conflict'],
  command: {
    examples: [
      ['reset-mfa ada@example.org', 'asks for confirmation'],
      ['reset-mfa ada@example.org --yes', 'for a script'],
    ],
    ask: ({ tier }, name) =>
      tier === 'guest'
        ? null
        : `This lets ${name} log in with the password alone. The secret and the recovery codes cannot be restored.`,
  },
  said: ({ changed }, { name }) =>
    changed
      ? `Switched off the second factor of ${name}: the password alone logs in.`
      : `${name} had no second factor; nothing was changed.`,
  example: { input: { account: 17 }, output: EXAMPLE_CHANGE },
  async handle(context, { act, event, input }) {
    const { accountId: id } = await found(context, input.account)
    return after(context, id, await act(resetSecondFactor, { accountId: id, event: event() }))
  },
})

const remove = operatorEndpoint({
  verb: 'delete-account',
  role: 'admin',
  path: '/operator/v1/accounts/delete',
  final: true,
  twoPersons: twoPersons('delete'),
  title: 'Delete an account',
  summary:
    'Deletes an account and the guests that it has taken over: keys, credits, secrets, e-mail address, names and client addresses. Its calls and movements of credits stay, without a reference to the owner.',
  input: Type.Object({ account, reason }),
  output: Type.Object({ account_id: accountId, deleted: Type.Literal(true) }),
  failures: ['not_found'],
  command: {
    examples: [
      ['delete-account ada@example.org', 'asks for confirmation'],
      ['delete-account 17 --yes --json', 'for a script'],
    ],
    ask: ({ credits }, name) =>
      `This deletes ${name} with its key and its ${plural(credits, 'credit')} and cannot be undone.`,
  },
  said: ({ account_id: id }, { name }) =>
    `Deleted ${name === `guest ${id}` ? name : `account ${id} (${name})`}.`,
  example: { input: { account: 17 }, output: { account_id: 17, deleted: true as const } },
  async handle(context, { act, event, input }) {
    const { accountId: id } = await found(context, input.account)
    await act(endAccount, { accountId: id, event: event() })
    await eraseRemains(context.store, id)
    return { account_id: id, deleted: true as const }
  },
})

export const changeEndpoints = [
  suspension('suspend'),
  suspension('unsuspend'),
  setTierEndpoint,
  setLimitsEndpoint,
  resetMfa,
  remove,
]
