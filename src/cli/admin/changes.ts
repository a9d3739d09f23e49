/** Commands that change an account: its key's state, its type, limits, credits and second factor. */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { limitsOf, type Tier } from '../../ledger/tiers.ts'
import { MAX_CREDITS } from '../../limits.ts'
import { foundJson } from '../../operator/account-json.ts'
import type { ChangeOutcome } from '../../operator/changes.ts'
import type { RegisteredOnly } from '../../operator/guests.ts'
import {
  type AdminCommand,
  type AdminSession,
  find,
  nameOf,
  readNumber,
  TIERS,
  type Who,
  whoArgument,
  yesOption,
} from './command.ts'
import { eventBy } from './event.ts'
import { CommandFailure, EXIT } from './failure.ts'

/** Prints the account after a change, and whether anything had to be changed. */
async function printChange(
  session: AdminSession,
  who: Who,
  outcome: ChangeOutcome | 'no_key',
  sentence: string,
  change: RegisteredOnly | null,
): Promise<void> {
  const account = await find(session, who)
  const { refuseUnchangeable } = await import('../../operator/changes.ts')
  refuseUnchangeable(outcome, account.accountId, change)
  const already = outcome === 'unchanged' ? ' Nothing had to be changed.' : ''
  await session.print(
    { changed: outcome === 'changed', ...foundJson(account, session.plan.current().tiers) },
    `${nameOf(account)}: ${sentence}${already}`,
  )
}

const suspension = (name: 'suspend' | 'unsuspend', summary: string, sentence: string): AdminCommand => ({
  usage: name,
  summary,
  examples: [
    [`${name} ada@example.org`, 'takes effect at the next request, on every node'],
    [`${name} 17 --json`, 'by number, for a script'],
  ],
  shape: (command) => command.addArgument(whoArgument()),
  async run(session, who: Who) {
    const { setSuspended } = await import('../../operator/changes.ts')
    const { accountId } = await find(session, who)
    const outcome = await session.store.run(setSuspended, {
      accountId,
      suspended: name === 'suspend',
      event: eventBy(name),
    })
    await printChange(session, who, outcome, sentence, null)
  },
})

const setTierCommand: AdminCommand = {
  usage: 'set-tier',
  summary: 'Set the account type, and with it the hourly limit unless the account has its own.',
  examples: [['set-tier ada@example.org pro', 'raises the hourly limit to 5,000 computations']],
  shape: (command) =>
    command.addArgument(whoArgument()).addArgument(new Argument('<type>', 'account type').choices(TIERS)),
  async run(session, who: Who, tier: Tier) {
    const account = await find(session, who)
    const { setTier } = await import('../../operator/changes.ts')
    const outcome = await session.store.run(setTier, {
      accountId: account.accountId,
      tier,
      event: eventBy('set-tier'),
    })
    await printChange(session, who, outcome, `the type is ${tier}.`, 'tier')
  },
}

type Limit = number | 'default'

const readLimit = (text: string): Limit => (text === 'default' ? text : readNumber(1, 1_000_000_000)(text))

const readThreshold = (text: string): Limit => (text === 'default' ? text : readNumber(0, MAX_CREDITS)(text))

interface OwnLimits {
  readonly hour?: Limit
  readonly day?: Limit
  readonly lowCredits?: Limit
}

/** In the store's form. Null: the limit of the type; undefined: unchanged. */
const stored = (limit: Limit | undefined): number | null | undefined => (limit === 'default' ? null : limit)

const setLimitsCommand: AdminCommand = {
  usage: 'set-limits',
  summary: 'Set an hourly or daily limit for one account, or restore the limits of its type.',
  examples: [
    ['set-limits ada@example.org --hour 20000', 'set an hourly limit'],
    ['set-limits ada@example.org --hour 20000 --day 100000', 'set both limits'],
    ['set-limits ada@example.org --low-credits 500', 'tell credits.low earlier'],
    ['set-limits ada@example.org --day default', 'restore the daily limit of its type'],
    ['set-limits ada@example.org default', 'restore both limits of its type'],
  ],
  shape: (command) =>
    command
      .addArgument(whoArgument())
      .addArgument(new Argument('[default]', 'restore the limits of the account type').argParser(readDefault))
      .addOption(new Option('--hour <n>', 'computations an hour, or default').argParser(readLimit))
      .addOption(new Option('--day <n>', 'computations a day, or default').argParser(readLimit))
      .addOption(
        new Option('--low-credits <n>', 'balance of which the event credits.low tells, or default').argParser(
          readThreshold,
        ),
      ),
  async run(session, who: Who, isDefault: true | undefined, options: OwnLimits) {
    const [hour, day, lowCredits] = [options.hour, options.day, options.lowCredits].map(stored)
    const some = [hour, day, lowCredits].some((limit) => limit !== undefined)
    if ((isDefault ?? false) === some)
      throw new CommandFailure('Give --hour, --day or --low-credits, or the word default.', EXIT.usage)
    const account = await find(session, who)
    const limits = isDefault
      ? { hour: null, day: null, lowCredits: null }
      : {
          ...(hour !== undefined && { hour }),
          ...(day !== undefined && { day }),
          ...(lowCredits !== undefined && { lowCredits }),
        }
    const { setLimits } = await import('../../operator/changes.ts')
    const outcome = await session.store.run(setLimits, {
      accountId: account.accountId,
      ...limits,
      event: eventBy('set-limits'),
    })
    const changed = await find(session, who)
    const now = limitsOf(changed, session.plan.current().tiers)
    const daily = now.day === null ? 'no daily limit' : `${now.day} a day`
    const low = changed.lowCredits === null ? '' : `; low at ${changed.lowCredits} credits`
    await printChange(session, who, outcome, `${now.hour} computations an hour, ${daily}${low}.`, 'limits')
  },
}

function readDefault(text: string): true {
  if (text !== 'default') throw new InvalidArgumentError('The only word allowed here is default.')
  return true
}

const resetMfa: AdminCommand = {
  usage: 'reset-mfa',
  summary:
    'Switch off the second factor of an account whose owner has lost it. Its secret and recovery codes are deleted.',
  examples: [
    ['reset-mfa ada@example.org', 'asks for confirmation'],
    ['reset-mfa ada@example.org --yes', 'for a script'],
  ],
  shape: (command) => command.addArgument(whoArgument()).addOption(yesOption()),
  async run(session, who: Who, options: { yes?: boolean }) {
    const account = await find(session, who)
    if (account.tier !== 'guest')
      await session.confirm(
        `This lets ${nameOf(account)} log in with the password alone. The secret and the recovery codes cannot be restored.`,
        options.yes,
      )
    const { resetSecondFactor } = await import('../../operator/changes.ts')
    const outcome = await session.store.run(resetSecondFactor, {
      accountId: account.accountId,
      event: eventBy('reset-mfa'),
    })
    await printChange(session, who, outcome, 'the second factor is off.', 'second_factor')
  },
}

export const changeCommands: readonly AdminCommand[] = [
  suspension('suspend', 'Suspend the API key of an account until unsuspend.', 'the key is suspended.'),
  suspension('unsuspend', 'Lift the suspension of an API key.', 'the key is active.'),
  setTierCommand,
  setLimitsCommand,
  resetMfa,
]
