/** The command that checks every balance against the ledger. */
import { Argument } from 'commander'
import type { LedgerCheck } from '../../operator/ledger-check.ts'
import { checkJson, faultsIn } from '../../operator/ledger-check-json.ts'
import { type AdminCommand, find, readWho, type Who } from './command.ts'
import { EXIT } from './failure.ts'

const verifyLedger: AdminCommand = {
  usage: 'verify-ledger',
  summary:
    'Check that every balance less debt equals grants + transfers + refunds − debits − reversals − expired, that lots are within balances and reversals within their grants, and the spending of every team key the charges of its calls, and print a digest: equal ledgers have equal digests. Reads one snapshot; the service may run, and shows the result of a check of all accounts in its metrics. Exit code 1 if an account differs.',
  examples: [
    ['verify-ledger', 'check all accounts'],
    ['verify-ledger ada@example.org --json', 'check one account, for a script'],
    ['verify-ledger --json | jq -r .digest', 'compare a restored backup with its original'],
  ],
  shape: (command) =>
    command.addArgument(
      new Argument('[account]', 'e-mail address or number; default: all').argParser(readWho),
    ),
  async run(session, who: Who | undefined) {
    const { checkLedger, recordLedgerCheck } = await import('../../operator/ledger-check.ts')
    const accountId = who === undefined ? null : (await find(session, who)).accountId
    const check = await session.reads.run(checkLedger, accountId)
    const faults = faultsIn(check)
    if (accountId === null) await session.store.run(recordLedgerCheck, faults)
    await session.print(checkJson(check), checkText(check))
    if (faults > 0) session.terminal.exitWith(EXIT.failed)
  },
}

const checkText = ({ faults, ...check }: LedgerCheck): string =>
  [
    ...faults.map(
      ({ accountId, balance, debt, expected, lots }) =>
        `account ${accountId} holds ${balance} credits${debt > 0 ? ` and owes ${debt}` : ''}; its ledger says ${expected}${lots > balance ? `; its lots hold ${lots}` : ''}`,
    ),
    ...check.lineageFaults.map(
      ({ accountId, expected, spent, teamKeyId }) =>
        `team key ${teamKeyId} of account ${accountId} has spent ${spent} credits; its calls were charged ${expected}`,
    ),
    ...check.reversalFaults.map(
      ({ accountId, credits, expected, reference, reversed }) =>
        `the grant ${reference} of ${credits} credits to account ${accountId} counts ${reversed} as reversed; its reversals are ${expected}`,
    ),
    ...check.repeatedReferences.map(
      ({ accountId, reference }) =>
        `account ${accountId} was granted the reference ${reference} after another account, by an earlier version; the grant stands`,
    ),
    `${check.accounts} accounts, ${check.credits} credits: ${faults.length === 0 ? 'every balance agrees with the ledger' : `${faults.length} differ`}`,
    `digest ${check.digest}`,
  ].join('\n')

export const ledgerCommands: readonly AdminCommand[] = [verifyLedger]
