/** The command that checks every balance against the ledger. */
import { Argument } from 'commander'
import { type AdminCommand, find, readWho, type Who } from './command.ts'
import { EXIT } from './failure.ts'

const verifyLedger: AdminCommand = {
  usage: 'verify-ledger',
  summary:
    'Check that every balance equals grants + transfers + refunds − debits, and the spending of every team key the charges of its calls, and print a digest: equal ledgers have equal digests. Reads one snapshot; the service may run, and shows the result of a check of all accounts in its metrics. Exit code 1 if an account differs.',
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
    const { accounts, credits, digest, faults, lineageFaults } = await session.reads.run(
      checkLedger,
      accountId,
    )
    if (accountId === null) await session.store.run(recordLedgerCheck, faults.length + lineageFaults.length)
    await session.print(
      {
        ok: faults.length + lineageFaults.length === 0,
        accounts,
        credits,
        digest,
        violations: faults.map((fault) => ({
          account_id: fault.accountId,
          credits: fault.balance,
          expected: fault.expected,
        })),
        team_keys: lineageFaults.map(({ accountId: owner, expected, spent, teamKeyId }) => ({
          ...{ account_id: owner, key_id: teamKeyId, spent, expected },
        })),
      },
      [
        ...faults.map(
          (fault) =>
            `account ${fault.accountId} holds ${fault.balance} credits; its ledger says ${fault.expected}`,
        ),
        ...lineageFaults.map(
          ({ accountId: owner, expected, spent, teamKeyId }) =>
            `team key ${teamKeyId} of account ${owner} has spent ${spent} credits; its calls were charged ${expected}`,
        ),
        `${accounts} accounts, ${credits} credits: ${faults.length === 0 ? 'every balance agrees with the ledger' : `${faults.length} differ`}`,
        `digest ${digest}`,
      ].join('\n'),
    )
    if (faults.length + lineageFaults.length > 0) session.terminal.exitWith(EXIT.failed)
  },
}

export const ledgerCommands: readonly AdminCommand[] = [verifyLedger]
