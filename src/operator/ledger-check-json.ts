/** A check of the ledger as the command line and the interface over HTTP print it. */
import type { LedgerCheck } from './ledger-check.ts'

export const faultsIn = ({ faults, lineageFaults, reversalFaults }: LedgerCheck): number =>
  faults.length + lineageFaults.length + reversalFaults.length

export const checkJson = (check: LedgerCheck) => ({
  ...{ ok: faultsIn(check) === 0, accounts: check.accounts, credits: check.credits, digest: check.digest },
  violations: check.faults.map(({ accountId, balance, debt, expected, lots }) => ({
    ...{ account_id: accountId, credits: balance, expected },
    ...(debt > 0 && { debt }),
    ...(lots > balance && { lots }),
  })),
  team_keys: check.lineageFaults.map(({ accountId, expected, spent, teamKeyId }) => ({
    ...{ account_id: accountId, key_id: teamKeyId, spent, expected },
  })),
  reversals: check.reversalFaults.map(({ accountId, ...fault }) => ({ account_id: accountId, ...fault })),
  repeated_references: check.repeatedReferences.map(({ accountId, reference }) => ({
    ...{ account_id: accountId, reference },
  })),
})
