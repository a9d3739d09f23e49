/** Commands that grant credits and take them back. */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { MAX_CREDITS } from '../../limits.ts'
import type { Moved } from '../../operator/credits.ts'
import {
  type AdminCommand,
  type AdminSession,
  find,
  nameOf,
  readNumber,
  readTime,
  type Who,
  whoArgument,
} from './command.ts'
import { eventBy } from './event.ts'
import { CommandFailure, EXIT } from './failure.ts'

const creditsArgument = () =>
  new Argument('<credits>', 'a whole number from 1').argParser(readNumber(1, MAX_CREDITS))

function readReference(text: string): string {
  if (!/^[\x20-\x7E]{1,200}$/.test(text))
    throw new InvalidArgumentError('The reference must have 1 to 200 ASCII characters.')
  return text
}

interface GrantOptions {
  readonly note: string
  readonly reference?: string
  readonly expires?: number
}

const grant: AdminCommand = {
  usage: 'grant',
  summary:
    'Add credits to an account; they pay its debt first. Its owner sees the grant and its note. A reference is granted once in the whole ledger: the command can be repeated safely.',
  examples: [
    ['grant ada@example.org 5000', 'add 5,000 credits'],
    ['grant 17 250 --note "invoice 2041"', 'add 250 credits with a note'],
    ['grant 17 250 --reference invoice-2041', 'add 250 credits once, however often it is run'],
    ['grant 17 250 --expires 2027-01-01', 'add 250 credits that expire; they are spent first'],
  ],
  shape: (command) =>
    command
      .addArgument(whoArgument())
      .addArgument(creditsArgument())
      .option('--note <text>', 'reason, shown to the owner', 'granted_by_administrator')
      .addOption(
        new Option(
          '--reference <text>',
          'identifies the grant; a second grant with it changes nothing',
        ).argParser(readReference),
      )
      .addOption(
        new Option('--expires <time>', 'when the rest expires: a date or an ISO 8601 time (UTC)').argParser(
          readTime,
        ),
      ),
  async run(session, who: Who, credits: number, options: GrantOptions) {
    const { expires = null, note, reference = null } = options
    const { accountId } = await find(session, who)
    if (note === '' || note.length > 200)
      throw new CommandFailure('The note must have 1 to 200 characters.', EXIT.usage)
    const { grantCredits, granted } = await import('../../operator/credits.ts')
    const outcome = await session.store.run(grantCredits, {
      ...{ accountId, credits, note, reference, expiresAt: expires },
      event: eventBy('grant'),
    })
    const moved = granted(outcome, { accountId, reference })
    const isNew = moved.outcome === 'moved'
    await printMoved(session, moved, {
      result: { granted: isNew ? credits : 0, ...(reference !== null && { reference, changed: isNew }) },
      sentence: isNew ? `${credits} credits added` : `the reference ${reference} was granted before`,
    })
  },
}

const reverse: AdminCommand = {
  usage: 'reverse',
  summary:
    'Take credits of a grant back, after a refund or a dispute of its payment. What the balance does not hold becomes debt, which later grants pay first, unless the grant has expired. A reversal is made once: the command can be repeated safely.',
  examples: [
    ['reverse invoice-2041 75 --reference refund-311', 'take 75 credits of the grant invoice-2041 back'],
    ['reverse invoice-2041 75 --reference refund-311 --json', 'the same again changes nothing'],
  ],
  shape: (command) =>
    command
      .addArgument(new Argument('<grant>', 'reference of the grant').argParser(readReference))
      .addArgument(creditsArgument())
      .addOption(
        new Option('--reference <text>', 'identifies the reversal; a second one with it changes nothing')
          .argParser(readReference)
          .makeOptionMandatory(),
      ),
  async run(session, reference: string, credits: number, options: { reference: string }) {
    const { reversed, reverseGrant } = await import('../../operator/credits.ts')
    const takeback = { reference, reversalReference: options.reference }
    const outcome = await session.store.run(reverseGrant, { ...takeback, credits, event: eventBy('reverse') })
    const moved = reversed(outcome, takeback)
    const isNew = moved.outcome === 'moved'
    await printMoved(session, moved, {
      result: { reversed: isNew ? credits : 0, reference: options.reference, changed: isNew },
      sentence: isNew
        ? `${credits} credits of the grant ${reference} taken back`
        : `the reversal ${options.reference} was made before`,
    })
  },
}

/** Prints the account after a movement, or that it was made before. */
async function printMoved(
  session: AdminSession,
  { accountId, balance, debt, outcome }: Moved,
  { result, sentence }: { readonly result: object; readonly sentence: string },
): Promise<void> {
  const account = await find(session, { accountId })
  const owing = debt > 0 ? `, ${debt} owed` : ''
  await session.print(
    { account_id: accountId, ...result, credits: balance, ...(debt > 0 && { debt }) },
    outcome === 'moved'
      ? `${nameOf(account)}: ${sentence}, ${balance} in all${owing}.`
      : `${nameOf(account)}: ${sentence}. Nothing was changed; ${balance} credits in all${owing}.`,
  )
}

export const creditCommands: readonly AdminCommand[] = [grant, reverse]
