/**
 * The commands that set limits: those of the plan, as options that may be given several times, and those of one account, which one
 * word restores.
 */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { keepIn } from '../../../accounts/history.ts'
import type { ReadSums } from '../../../accounts/usage-sums.ts'
import {
  MAX_CREDITS,
  MAX_CREDITS_PER_SECOND,
  MAX_TIER_REQUESTS,
  MAX_TIER_WORK,
  TIER_REQUESTS,
} from '../../../base/limits/callers.ts'
import { wholeNumber } from '../../../base/text.ts'
import type { Limits } from '../../../ledger/rules/tiers.ts'
import { touchedBy, touchedText } from '../../../operators/cost-change.ts'
import { type CostRow, costPage, monthOf } from '../../../operators/costs.ts'
import type { OperatorEndpoint } from '../../../operators/http/endpoint.ts'
import { CURRENCY, DECIMAL } from '../../../operators/prices.ts'
import { actCommand } from './act-command.ts'
import { type AdminCommand, type AdminSession, readNumber } from './command.ts'
import { CommandFailure, EXIT } from './failure.ts'

interface SetOptions {
  readonly tier: Readonly<Record<string, TierGiven>>
  readonly cost: Readonly<Record<string, number | null>>
  readonly initialCredits: Readonly<Record<string, number | null>>
  readonly work: Readonly<Record<string, number | null>>
  readonly price?: ReturnType<typeof readPrice>
  readonly yes?: boolean
}

export const setPlan = (act: OperatorEndpoint): AdminCommand =>
  actCommand(act, {
    shape: (command) =>
      command
        .addOption(
          repeated('--tier <type=requests>', 'requests an hour, or an hour/a day (none: no limit)', readTier),
        )
        .addOption(repeated('--work <type=seconds>', 'processor seconds an hour', readWork))
        .addOption(repeated('--cost <path=credits>', 'credits for each started second of a call', readCost))
        .addOption(
          new Option('--price <currency=amount>', 'price of a credit (default: no price)').argParser(
            readPrice,
          ),
        )
        .addOption(
          repeated('--initial-credits <kind=credits>', 'of a new account: registered or guest', readInitial),
        )
        .option('--yes', 'do not ask before costs change that accounts have paid this month'),
    async complete(session, given, options) {
      const { plan, reads } = session
      const { version } = await plan.read(reads)
      const { tiers } = plan.current()
      const { cost, initialCredits, price, tier, work, yes } = options as SetOptions
      const question = await questionOf(session, cost)
      if (question !== null) await session.confirm(question, yes)
      const limits = Object.entries(tier).map(([name, value]) => [
        name,
        value?.(tiers[name as 'pro'].day) ?? null,
      ])
      return {
        version,
        tiers: Object.fromEntries(limits),
        work,
        costs: cost,
        initial_credits: initialCredits,
        ...(price !== undefined && { price: price === 'default' ? null : price }),
        ...given,
      }
    },
  })

/** Whom a change of costs touches; null: nobody who has called these operations this month. */
async function questionOf(
  { config, plan, reads, store }: AdminSession,
  costs: SetOptions['cost'],
): Promise<string | null> {
  const before = plan.current().costs
  const change = Object.fromEntries(
    Object.entries(costs)
      .map(([path, cost]) => {
        const [from, to] = [before[path] ?? 1, cost ?? config.plan.costs[path] ?? 1]
        return [path, { from, to }] as const
      })
      .filter(([, { from, to }]) => from !== to),
  )
  if (Object.keys(change).length === 0) return null
  const month = monthOf(new Date().toISOString().slice(0, 7))
  const costReads = { run: reads.run, keepSums: (overdue: ReadSums['overdue']) => keepIn(store, overdue) }
  const found: CostRow[] = []
  for (let last: number | null = 0; last !== null; ) {
    const page: Awaited<ReturnType<typeof costPage>> = await costPage(costReads, month, {
      after: last,
      limit: 1_000,
    })
    found.push(...page.items.filter(({ path }) => path !== null && path in change))
    last = page.next
  }
  const touched = touchedBy(change, found)
  return touched.length === 0 ? null : touchedText(touched)
}

function readPrice(text: string) {
  if (text === 'default') return text
  const [currency = '', amount = ''] = text.split('=')
  if (!new RegExp(CURRENCY).test(currency) || !new RegExp(DECIMAL).test(amount))
    throw new InvalidArgumentError('Write a currency, =, and an amount, such as EUR=0.002.')
  return { amount, currency }
}

/** Makes the limits from the present daily limit, which stays if no other was given; null restores those of the settings. */
type TierGiven = ((day: number | null) => Limits) | null

/** An option that may be given several times, each with a name and a value. */
const repeated = (flags: string, description: string, read: (name: string, text: string) => unknown) =>
  new Option(flags, description)
    .argParser((text: string, before: Readonly<Record<string, unknown>>) => {
      const at = text.indexOf('=')
      const name = text.slice(0, at)
      if (at < 1) throw new InvalidArgumentError('Write a name, =, and a value.')
      const value = text.slice(at + 1)
      // The name must be valid even if its value is `default`.
      const given = read(name, value === 'default' ? '1' : value)
      return { ...before, [name]: value === 'default' ? null : given }
    })
    .default({}, 'none')

function checkTier(name: string): void {
  if (!Object.hasOwn(TIER_REQUESTS, name))
    throw new InvalidArgumentError(`The account types are ${Object.keys(TIER_REQUESTS).join(', ')}.`)
}

function readWork(name: string, text: string): number {
  checkTier(name)
  return readNumber(1, MAX_TIER_WORK)(text)
}

function readTier(name: string, text: string): TierGiven {
  checkTier(name)
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

const readCost = (_path: string, text: string): number => readNumber(0, MAX_CREDITS_PER_SECOND)(text)

export const setLimits = (act: OperatorEndpoint): AdminCommand =>
  actCommand(act, {
    shape: (command) =>
      command.addArgument(
        new Argument(
          '[default]',
          'restore all of them: the limits of the account type, and the balance of the plan',
        ).argParser(readDefault),
      ),
    async complete(_, { account, ...limits }, __, isDefault = false) {
      if (isDefault === Object.keys(limits).length > 0)
        throw new CommandFailure(
          'Give --hour, --day, --work or --low-credits, or the word default.',
          EXIT.usage,
        )
      return { account, ...(isDefault ? { hour: null, day: null, work: null, low_credits: null } : limits) }
    },
  })

function readDefault(text: string): true {
  if (text !== 'default') throw new InvalidArgumentError('The only word allowed here is default.')
  return true
}
