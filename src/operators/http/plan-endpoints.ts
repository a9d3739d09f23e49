/** The plan: limits of account types, costs of operations and initial credits, changed while the service runs. */
import { nullable, PRINTABLE, text, whole } from '../../accounts/field-schemas.ts'
import {
  MAX_CREDITS,
  MAX_CREDITS_PER_SECOND,
  MAX_TIER_REQUESTS,
  MAX_TIER_WORK,
} from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import {
  changeOf,
  changePlan,
  conflict,
  historyJson,
  historyText,
  newestPlan,
  type PlanVersion,
  planHistory,
  planJson,
  planText,
  restoring,
} from '../plans.ts'
import { CURRENCY, DECIMAL } from '../prices.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import { cursorAfter, idIn, nextCursor, orNull, page } from './field-schemas.ts'

const requests = Type.Integer({ minimum: 1, maximum: MAX_TIER_REQUESTS, description: 'computations' })
const limits = Type.Object(
  { hour: requests, day: Type.Union([requests, Type.Null()]) },
  { additionalProperties: false, description: 'computations an hour and a day; a day of null has no limit' },
)
const seconds = whole('processor seconds an hour')
const version = {
  version: whole('version of the plan; 0: no version was made, and the settings are in force'),
  made_at: orNull('when it was made'),
  made_by: orNull('person or token that made it'),
  note: orNull('why'),
}
const credits = { registered: whole('credits of a new account'), guest: whole('credits of a new guest key') }
const price = Type.Object(
  {
    amount: Type.String({
      pattern: DECIMAL,
      description: 'price of one credit, with at most six decimal places, such as 0.002',
    }),
    currency: Type.String({ pattern: CURRENCY, description: 'currency (ISO 4217), such as EUR' }),
  },
  { additionalProperties: false },
)
const plan = {
  ...version,
  tiers: Type.Object({ guest: limits, free: limits, basic: limits, standard: limits, pro: limits }),
  work: Type.Object(
    { guest: seconds, free: seconds, basic: seconds, standard: seconds, pro: seconds },
    { description: 'processor time by account type' },
  ),
  initial_credits: Type.Object(credits),
  low_credits: whole('balance at which the event credits.low is sent; 0: never'),
  costs: Type.Record(Type.String(), Type.Integer(), {
    description: 'credits by operation, for each started second of the estimate of a call',
  }),
  settings_costs: Type.Record(Type.String(), Type.Integer(), {
    description: 'of the operations whose costs operators have set: the credits by the settings',
  }),
  price: nullable(price, 'price of a credit, by which statements state amounts; null: none'),
  set: Type.Array(Type.String(), {
    description: 'the values that operators have set; the others are those of the settings',
  }),
}
const EXAMPLE = {
  version: 1,
  made_at: '2026-02-01T09:00:00.000Z',
  made_by: 'ada',
  note: 'prices of spring',
  tiers: {
    guest: { hour: 60, day: 50 },
    free: { hour: 500, day: null },
    basic: { hour: 1_000, day: null },
    standard: { hour: 2_000, day: null },
    pro: { hour: 6_000, day: null },
  },
  work: { guest: 60, free: 600, basic: 1_200, standard: 2_400, pro: 6_000 },
  initial_credits: { registered: 350, guest: 50 },
  low_credits: 100,
  costs: { '/quantlib/pricing/bs/price': 1 },
  settings_costs: {},
  price: null,
  set: ['tiers/pro'],
}

const shown = ({ operationPaths, settings }: OperatorContext, newest: PlanVersion) =>
  planJson(newest, settings, operationPaths) as typeof EXAMPLE

const show = operatorEndpoint({
  verb: 'plan show',
  role: 'viewer',
  path: '/operator/v1/plan',
  title: 'Plan',
  summary:
    'Returns the plan in force: the limits of the account types, the credits that accounts begin with, and what operations cost.',
  output: Type.Object(plan),
  command: {
    examples: [['plan show', 'a star marks the values that operators have set']],
    needs: 'operations',
    text: planText,
  },
  example: { output: EXAMPLE },
  handle: async (context) => shown(context, await context.readPlan()),
})

const orSettings = <Value extends Parameters<typeof Type.Union>[0][number]>(value: Value) =>
  Type.Optional(Type.Union([value, Type.Null()]))
const initial = orSettings(Type.Integer({ minimum: 0, maximum: MAX_CREDITS }))
const tier = orSettings(limits)
const work = orSettings(Type.Integer({ minimum: 1, maximum: MAX_TIER_WORK }))

const set = operatorEndpoint({
  verb: 'plan set',
  role: 'admin',
  path: '/operator/v1/plan/set',
  title: 'Change the plan',
  summary:
    'Makes a new version of the plan with the given values, which is in force on every node within 5 s; null restores the value of the settings. A call costs what it cost when it was admitted.',
  input: Type.Object({
    version: Type.Integer({
      minimum: 0,
      description: 'version that the change is based on; if another one is in force, nothing is changed',
    }),
    tiers: Type.Optional(
      Type.Object(
        { guest: tier, free: tier, basic: tier, standard: tier, pro: tier },
        { additionalProperties: false, description: 'limits by account type' },
      ),
    ),
    work: Type.Optional(
      Type.Object(
        { guest: work, free: work, basic: work, standard: work, pro: work },
        { additionalProperties: false, description: 'processor seconds an hour by account type' },
      ),
    ),
    initial_credits: Type.Optional(
      Type.Object(
        { registered: initial, guest: initial },
        { additionalProperties: false, description: 'credits of new accounts and guest keys' },
      ),
    ),
    low_credits: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: MAX_CREDITS }),
        'balance at which the event credits.low is sent; 0: never',
      ),
    ),
    costs: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.Integer({ minimum: 0, maximum: MAX_CREDITS_PER_SECOND }), Type.Null()]),
        { description: 'credits by operation, for each started second of the estimate of a call' },
      ),
    ),
    price: Type.Optional(
      nullable(price, 'price of a credit, which holds for calls from the next midnight (UTC) on; null: none'),
    ),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: PRINTABLE,
        description: 'reason, stored with the version; printable characters',
      }),
    ),
  }),
  output: Type.Object({
    changed: Type.Boolean({ description: 'false: these values were set already' }),
    plan: Type.Object(plan),
  }),
  failures: ['conflict'],
  command: {
    examples: [
      [
        'plan set --tier pro=6000 --tier guest=60/20',
        'requests an hour, and a day where a second number follows',
      ],
      [
        'plan set --cost /quantlib/ml/clustering/isolation-forest=5 --note spring',
        'credits for each started second',
      ],
      ['plan set --work free=1200', 'processor seconds an hour'],
      ['plan set --initial-credits guest=20 --low-credits default', 'the threshold of the settings again'],
      ['plan set --price EUR=0.002', 'the price of a credit, from the next midnight (UTC) on'],
      ['plan set --version 3 --tier pro=9000', 'nothing, unless version 3 is in force'],
    ],
    words: [],
    flags: { tiers: '--tier', costs: '--cost' },
    optional: 'version',
    needs: 'operations',
    text: ({ changed, plan }) => `${changed ? '' : 'Nothing had to be changed. '}${planText(plan)}`,
    json: ({ changed, plan }) => ({ changed, ...plan }),
  },
  said: ({ changed, plan }) =>
    changed
      ? `Made version ${plan.version} of the plan, which is in force on every node within 5 s.`
      : 'These values were set before; nothing was changed.',
  async undo({ changed, plan: { version } }, _, { store }) {
    const [newest] = await store.run(planHistory, { before: null, limit: 1 })
    if (!changed || newest?.version !== version) return null
    return { path: '/operator/v1/plan/set', body: restoring(historyJson(newest)) }
  },
  example: {
    input: { version: 0, tiers: { pro: { hour: 6_000, day: null } }, note: 'prices of spring' },
    output: { changed: true, plan: EXAMPLE },
  },
  twoPersons: {
    act: 'plan',
    credits: () => 0,
    async check({ operationPaths, store }, { note, version, ...given }) {
      changeOf(given, operationPaths)
      const newest = await store.run(newestPlan)
      if (newest.version !== version) throw conflict(newest, version)
    },
  },
  async handle(context, { act, event, input }) {
    const { operationPaths, settings } = context
    const { note = null, version: basedOn, ...given } = input
    const change = changeOf(given, operationPaths)
    const planned = { basedOn, change, note, settings, event: event() }
    const { isChanged, newest } = await act(changePlan, planned)
    await context.readPlan()
    return { changed: isChanged, plan: shown(context, newest) }
  },
})

const value = Type.Union([Type.Integer(), limits, price, Type.Null()], {
  description: 'credits, limits, processor seconds or a price; null: the value of the settings',
})

const history = operatorEndpoint({
  verb: 'plan history',
  role: 'viewer',
  path: '/operator/v1/plan/history',
  title: 'Versions of the plan',
  summary: 'Lists the versions of the plan, the newest first, with what each changed and who made it.',
  query: Type.Object(page),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        ...version,
        changes: Type.Array(Type.Object({ item: text('name of the value'), from: value, to: value })),
      }),
    ),
    next_cursor: nextCursor,
  }),
  command: {
    examples: [['plan history --limit 5', 'the last five']],
    text: ({ items }) => historyText(items) || 'No version was made.',
  },
  example: {
    output: {
      items: [
        {
          version: 1,
          made_at: EXAMPLE.made_at,
          made_by: 'ada',
          note: EXAMPLE.note,
          changes: [{ item: 'tiers/pro', from: null, to: { hour: 6_000, day: null } }],
        },
      ],
      next_cursor: null,
    },
  },
  async handle({ store }, { query: { cursor, limit = 50 } }) {
    const versions = await store.run(planHistory, { before: idIn(cursor), limit })
    return {
      items: versions.map(historyJson) as never,
      next_cursor: cursorAfter(versions, limit, ({ version }) => version),
    }
  },
})

export const planEndpoints = [show, set, history]
