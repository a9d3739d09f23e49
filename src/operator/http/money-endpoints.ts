/** Credits that are granted, and the check that all balances add up. */
import Type from 'typebox'
import { text, whole } from '../../accounts/fields.ts'
import { noSuchAccount, otherGrant } from '../../errors/operator.ts'
import { MAX_CREDITS } from '../../limits.ts'
import { grantCredits } from '../changes.ts'
import { checkLedger, recordLedgerCheck } from '../ledger-check.ts'
import { found, registered } from './account-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { account, accountId } from './fields.ts'

const grant = operatorEndpoint({
  verb: 'grant',
  role: 'billing',
  method: 'POST',
  path: '/operator/v1/grants',
  title: 'Grant credits',
  summary:
    'Adds credits to an account. A reference is granted once: the same request again answers the first grant with `replayed`.',
  query: null,
  input: Type.Object({
    account,
    credits: Type.Integer({ minimum: 1, maximum: MAX_CREDITS, description: 'credits' }),
    reference: Type.String({
      description: 'identifies the grant, for example the number of an invoice',
      pattern: '^[\\x20-\\x7E]{1,200}$',
    }),
    note: Type.Optional(
      Type.String({ description: 'reason, shown to the owner', minLength: 1, maxLength: 200 }),
    ),
  }),
  output: Type.Object({
    account_id: accountId,
    reference: text('the reference'),
    granted: whole('credits of the grant'),
    credits: whole('balance'),
    replayed: Type.Boolean({ description: 'whether it had been granted before' }),
  }),
  failures: ['not_found', 'conflict'],
  example: {
    input: { account: 'ada@example.org', credits: 5_000, reference: 'invoice-2041' },
    output: { account_id: 17, reference: 'invoice-2041', granted: 5_000, credits: 5_349, replayed: false },
  },
  async handle(context, { event, input: { account: named, credits, note, reference } }) {
    const { accountId: id } = await registered(context, named, 'it cannot be granted credits')
    const granted = await context.store.run(grantCredits, {
      ...{ accountId: id, credits, reference, event: event() },
      note: note ?? 'granted_by_administrator',
    })
    if (granted.outcome === 'no_account') throw noSuchAccount(named)
    if (granted.outcome === 'other_credits') throw otherGrant(reference, granted.credits)
    return {
      ...{ account_id: id, reference, granted: credits, credits: granted.balance },
      replayed: granted.outcome === 'unchanged',
    }
  },
})

const verifyLedger = operatorEndpoint({
  verb: 'verify-ledger',
  role: 'viewer',
  method: 'POST',
  path: '/operator/v1/verify-ledger',
  title: 'Check the ledger',
  summary:
    'Checks that every balance equals grants + transfers + refunds − debits, and the spending of every team key the charges of its calls. A check of all accounts shows in the metrics.',
  query: null,
  input: Type.Object({ account: Type.Optional(account) }),
  output: Type.Object({
    ok: Type.Boolean({ description: 'whether all agree' }),
    accounts: whole('accounts that were checked'),
    credits: whole('sum of their balances'),
    digest: text('SHA-256 over balances, movements and debits: equal for equal ledgers'),
    violations: Type.Array(
      Type.Object({ account_id: accountId, credits: whole('balance'), expected: whole('by the ledger') }),
    ),
    team_keys: Type.Array(
      Type.Object({
        ...{ account_id: accountId, key_id: whole('the team key') },
        ...{ spent: whole('what it has spent'), expected: whole('what its calls were charged') },
      }),
    ),
  }),
  failures: ['not_found'],
  example: {
    input: {},
    output: {
      ...{ ok: true, accounts: 2, credits: 698, violations: [], team_keys: [] },
      digest: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    },
  },
  async handle(context, { input }) {
    const id = input.account === undefined ? null : (await found(context, input.account)).accountId
    const check = await context.store.run(checkLedger, id)
    const { accounts, credits, digest, faults, lineageFaults } = check
    const differing = faults.length + lineageFaults.length
    if (id === null) await context.store.run(recordLedgerCheck, differing)
    return {
      ...{ ok: differing === 0, accounts, credits, digest },
      violations: faults.map(({ accountId: of, balance, expected }) => ({
        ...{ account_id: of, credits: balance, expected },
      })),
      team_keys: lineageFaults.map(({ accountId: of, expected, spent, teamKeyId }) => ({
        ...{ account_id: of, key_id: teamKeyId, spent, expected },
      })),
    }
  },
})

export const moneyEndpoints = [grant, verifyLedger]
