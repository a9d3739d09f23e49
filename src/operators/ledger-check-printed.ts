/** A check of the ledger as the command line and the interface over HTTP print it. */
import { plural } from '../base/text.ts'
import type { LedgerCheck } from './ledger-check.ts'

export const faultsIn = ({ faults, lineageFaults, reversalFaults }: LedgerCheck): number =>
  faults.length + lineageFaults.length + reversalFaults.length

export const checkJson = (check: LedgerCheck) => ({
  ok: faultsIn(check) === 0,
  accounts: check.accounts,
  credits: check.credits,
  digest: check.digest,
  violations: check.faults.map(({ accountId, balance, debt, expected, lots }) => ({
    account_id: accountId,
    credits: balance,
    expected,
    ...(debt > 0 && { debt }),
    ...(lots > balance && { lots }),
  })),
  team_keys: check.lineageFaults.map(({ accountId, expected, spent, teamKeyId }) => ({
    account_id: accountId,
    key_id: teamKeyId,
    spent,
    expected,
  })),
  reversals: check.reversalFaults.map(({ accountId, ...fault }) => ({ account_id: accountId, ...fault })),
})

export const checkText = ({ violations, ...check }: ReturnType<typeof checkJson>): string =>
  [
    ...violations.map(
      ({ account_id, credits, debt = 0, expected, lots }) =>
        `account ${account_id} holds ${credits} credits${debt > 0 ? ` and owes ${debt}` : ''}; its ledger says ${expected}${lots === undefined ? '' : `; its lots hold ${lots}`}`,
    ),
    ...check.team_keys.map(
      ({ account_id, expected, key_id, spent }) =>
        `team key ${key_id} of account ${account_id} has spent ${spent} credits; its calls were charged ${expected}`,
    ),
    ...check.reversals.map(
      ({ account_id, credits, expected, reference, reversed }) =>
        `the grant ${reference} of ${credits} credits to account ${account_id} counts ${reversed} as reversed; its reversals are ${expected}`,
    ),
    `${plural(check.accounts, 'account')}, ${plural(check.credits, 'credit')}: ${violations.length === 0 ? 'every balance agrees with the ledger' : `${violations.length} differ`}`,
    `digest ${check.digest}`,
  ].join('\n')
