/** Commands on the plan: limits of account types, costs of operations, initial credits. */
import { InvalidArgumentError, Option } from 'commander'
import { itemsOf, planWith } from '../../ledger/plan.ts'
import type { Limits } from '../../ledger/tiers.ts'
import { MAX_CREDITS, MAX_CREDITS_PER_CALL, MAX_TIER_REQUESTS, TIER_REQUESTS } from '../../limits.ts'
import { instant } from '../../operator/account-json.ts'
import { changeOf, historyJson, planJson } from '../../operator/plan-json.ts'
import type { PlanVersion } from '../../operator/plans.ts'
import { wholeNumber } from '../../whole-number.ts'
import { type AdminCommand, type AdminSession, readNumber } from './command.ts'
import { eventBy } from './event.ts'

const MOST = 1_000_000_000

const show: AdminCommand = {
  usage: 'show',
  summary: 'Show the plan in force; a star marks the values that operators have set.',
  examples: [['plan show', 'limits of the account types, initial credits, costs of operations']],
  async run(session) {
    await printPlan(session, await session.plan.read(session.reads))
  },
}

interface SetOptions {
  readonly tier: Readonly<Record<string, TierGiven>>
  readonly cost: Readonly<Record<string, number | null>>
  readonly initialCredits: Readonly<Record<string, number | null>>
  readonly lowCredits?: number | 'default'
  readonly version?: number
  readonly note?: string
}

const set: AdminCommand = {
  usage: 'set',
  summary:
    'Change the plan on every node within 5 s, without a restart. The word default restores a value of the settings.',
  examples: [
    [
      'plan set --tier pro=6000 --tier guest=60/20',
      'requests an hour, and a day where a second number follows',
    ],
    ['plan set --cost /quantlib/ml/clustering/isolation-forest=5 --note spring', 'credits of a call'],
    ['plan set --initial-credits guest=20 --low-credits default', 'the threshold of the settings again'],
    ['plan set --version 3 --tier pro=9000', 'nothing, unless version 3 is in force'],
  ],
  shape: (command) =>
    command
      .addOption(
        repeated('--tier <type=requests>', 'requests an hour, or an hour/a day (none: no limit)', readTier),
      )
      .addOption(repeated('--cost <path=credits>', 'credits of a call', readCost))
      .addOption(repeated('--initial-credits <who=credits>', 'of registered or guest', readInitial))
      .addOption(
        new Option('--low-credits <n>', 'balance of which credits.low tells, or default').argParser((text) =>
          text === 'default' ? text : readNumber(0, MAX_CREDITS)(text),
        ),
      )
      .addOption(
        new Option('--version <n>', 'the version that the change is based on; default: the newest').argParser(
          readNumber(0, MOST),
        ),
      )
      .addOption(new Option('--note <text>', 'why, kept with the version').argParser(readNote)),
  async run(session, options: SetOptions) {
    const { operations } = await import('../../catalogue/index.ts')
    const { changePlan } = await import('../../operator/plans.ts')
    const { planHasChanged } = await import('../../errors/operator.ts')
    const newest = await session.plan.read(session.reads)
    const { tiers } = session.plan.current()
    const basedOn = options.version ?? newest.version
    const low = options.lowCredits
    const change = changeOf(
      {
        tiers: Object.fromEntries(
          Object.entries(options.tier).map(([name, given]) => [
            name,
            given?.(tiers[name as 'pro'].day) ?? null,
          ]),
        ),
        costs: options.cost,
        initial_credits: options.initialCredits,
        ...(low !== undefined && { low_credits: low === 'default' ? null : low }),
      },
      operations.map(({ path }) => path),
    )
    const { config, store } = session
    const done = await store.run(changePlan, {
      ...{ basedOn, change, note: options.note ?? null, settings: config.plan, event: eventBy('plan set') },
    })
    if (done.outcome === 'conflict') throw planHasChanged(done.newest.version, done.newest.actor, basedOn)
    await printPlan(session, done.newest, done.outcome === 'changed')
  },
}

const history: AdminCommand = {
  usage: 'history',
  summary: 'List the versions of the plan, the newest first, with what each changed.',
  examples: [['plan history --limit 5', 'the last five']],
  shape: (command) =>
    command.addOption(
      new Option('--limit <n>', 'maximum number of versions').argParser(readNumber(1, MOST)).default(50),
    ),
  async run(session, { limit }: { limit: number }) {
    const { planHistory } = await import('../../operator/plans.ts')
    const versions = await session.reads.run(planHistory, { before: null, limit })
    const lines = versions.flatMap((one) => [
      headOf(one),
      ...one.changes.map(
        ({ from, item, to }) => `  ${item.padEnd(58)} ${valueText(from)} → ${valueText(to)}`,
      ),
    ])
    await session.print(versions.map(historyJson), lines.join('\n') || 'No version was made.')
  },
}

async function printPlan(session: AdminSession, version: PlanVersion, changed?: boolean): Promise<void> {
  const { operations } = await import('../../catalogue/index.ts')
  const settings = session.config.plan
  const plan = planJson(
    version,
    settings,
    operations.map(({ path }) => path),
  )
  const items = itemsOf({ ...planWith(settings, version.set), costs: plan.costs })
  const lines = Object.entries(items).map(
    ([name, value]) => `${plan.set.includes(name) ? '*' : ' '} ${name.padEnd(58)} ${valueText(value)}`,
  )
  const head = changed === false ? 'Nothing had to be changed. ' : ''
  await session.print(
    { ...(changed !== undefined && { changed }), ...plan },
    [`${head}${headOf(version)}`, ...lines].join('\n'),
  )
}

const headOf = ({ actor, at, note, version }: PlanVersion): string =>
  version === 0
    ? 'The plan of the settings; no version was made.'
    : `Version ${version}, made ${instant(at)} by ${actor}${note === null ? '' : `: ${note}`}`

const valueText = (value: Limits | number | null): string =>
  value === null
    ? 'settings'
    : typeof value === 'number'
      ? `${value} credits`
      : `${value.hour} an hour${value.day === null ? '' : `, ${value.day} a day`}`

/** Limits for the day's present one; null: those of the settings. */
type TierGiven = ((day: number | null) => Limits) | null

/** An option that may be given several times, each with a name and a value. */
const repeated = (flags: string, description: string, read: (name: string, text: string) => unknown) =>
  new Option(flags, description)
    .argParser((text: string, before: Readonly<Record<string, unknown>>) => {
      const at = text.indexOf('=')
      const name = text.slice(0, at)
      if (at < 1) throw new InvalidArgumentError('Write a name, =, and a value.')
      const value = text.slice(at + 1)
      // Also a name whose value is to be lifted must be one.
      const given = read(name, value === 'default' ? '1' : value)
      return { ...before, [name]: value === 'default' ? null : given }
    })
    .default({}, 'none')

function readTier(name: string, text: string): TierGiven {
  if (!Object.hasOwn(TIER_REQUESTS, name))
    throw new InvalidArgumentError(`The account types are ${Object.keys(TIER_REQUESTS).join(', ')}.`)
  const [hourText = '', dayText, ...more] = text.split('/')
  const hour = wholeNumber(hourText, 1, MAX_TIER_REQUESTS)
  const day = dayText === undefined || dayText === 'none' ? null : wholeNumber(dayText, 1, MAX_TIER_REQUESTS)
  if (hour === null || (day === null && dayText !== undefined && dayText !== 'none') || more.length > 0)
    throw new InvalidArgumentError(
      `Write requests an hour, or requests an hour/requests a day, from 1 to ${MAX_TIER_REQUESTS}.`,
    )
  return (present) => ({ hour, day: dayText === undefined ? present : day })
}

function readInitial(name: string, text: string): number {
  if (name === 'registered' || name === 'guest') return readNumber(0, MAX_CREDITS)(text)
  throw new InvalidArgumentError('Name registered or guest.')
}

const readCost = (_path: string, text: string): number => readNumber(0, MAX_CREDITS_PER_CALL)(text)

function readNote(text: string): string {
  if (text.length > 0 && text.length <= 200) return text
  throw new InvalidArgumentError('It must have 1 to 200 characters.')
}

export const planCommands: readonly AdminCommand[] = [show, set, history]
