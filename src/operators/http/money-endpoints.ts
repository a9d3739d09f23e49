/** Credits that are granted, and the check that all balances add up. */
import { givenInstant, PRINTABLE, text, whole } from '../../accounts/field-schemas.ts'
import { MAX_CREDITS } from '../../base/limits/callers.ts'
import { counted, grouped, plural } from '../../base/text.ts'
import { Type } from '../../base/type.ts'
import { grantCredits, isReferenceUsed, type Moved, reverseGrant } from '../grants.ts'
import { checkJson, checkLedger, checkText, faultsIn, recordLedgerCheck } from '../ledger-check.ts'
import { found } from './account-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { account, accountId, reason } from './field-schemas.ts'

const REFERENCE_CHARACTERS = 200
const reference = (description: string) =>
  Type.String({ description, pattern: `^[\\x20-\\x7E]{1,${REFERENCE_CHARACTERS}}$` })

const debt = Type.Optional(whole('credits that the account owes; absent: none'))

/** A movement in words, with the balance after it. */
const movedText = ({ credits, debt = 0 }: { credits: number; debt?: number }, moved: string): string =>
  `${moved}; the balance is ${grouped(credits)}${debt > 0 ? `, and ${grouped(debt)} ${debt === 1 ? 'is' : 'are'} owed` : ''}.`

/** The account after a movement. */
const afterMove = (moved: Moved) => ({
  credits: moved.balance,
  ...(moved.debt > 0 && { debt: moved.debt }),
  replayed: moved.outcome === 'replayed',
})

const grant = operatorEndpoint({
  verb: 'grant',
  role: 'billing',
  path: '/operator/v1/grants',
  title: 'Grant credits',
  summary:
    'Adds credits to an account; they pay its debt first. The owner of the account sees the grant and its note. A reference is used once in the whole ledger: the same request again changes nothing, and returns the first grant.',
  input: Type.Object({
    account,
    credits: Type.Integer({ minimum: 1, maximum: MAX_CREDITS, description: 'credits' }),
    reference: reference('identifies the grant, for example the number of an invoice'),
    note: Type.Optional(
      Type.String({
        description: 'reason, shown to the owner; printable characters',
        minLength: 1,
        maxLength: 200,
        pattern: PRINTABLE,
      }),
    ),
    expires_at: Type.Optional(givenInstant('when the rest of the grant expires; absent: never')),
    reason,
  }),
  output: Type.Object({
    account_id: accountId,
    reference: text('the reference'),
    granted: whole('credits of the grant'),
    credits: whole('balance'),
    debt,
    replayed: Type.Boolean({ description: 'whether an earlier request had made the grant' }),
  }),
  failures: ['not_found', 'conflict'],
  twoPersons: {
    act: 'grant',
    credits: ({ credits }) => credits,
    isDone: ({ store }, { reference }) => store.run(isReferenceUsed, reference),
  },
  command: {
    examples: [
      ['grant ada@example.org 5000', 'add 5,000 credits'],
      ['grant 17 250 --note "invoice 2041"', 'add 250 credits with a note'],
      ['grant 17 250 --reference invoice-2041', 'add 250 credits once, however often it is run'],
      ['grant 17 250 --expires 2027-01-01', 'add 250 credits that expire; they are spent first'],
    ],
    words: ['account', 'credits'],
    flags: { expires_at: '--expires' },
    optional: 'reference',
    json: ({ granted, reference, replayed, ...account }) => ({
      granted: replayed ? 0 : granted,
      ...account,
      ...(reference !== undefined && { reference, changed: !replayed }),
    }),
  },
  said: ({ granted, reference, ...moved }, { name }) =>
    movedText(
      moved,
      moved.replayed
        ? `${reference} was granted to ${name} before, and nothing was changed`
        : `Granted ${counted(granted, 'credit')} to ${name}`,
    ),
  undo({ granted, reference, replayed }) {
    const undoing = `undo ${reference}`
    if (replayed || reference === undefined || undoing.length > REFERENCE_CHARACTERS) return null
    return {
      path: '/operator/v1/grants/reverse',
      body: { reference, credits: granted, reversal_reference: undoing },
    }
  },
  example: {
    input: { account: 'ada@example.org', credits: 5_000, reference: 'invoice-2041' },
    output: { account_id: 17, reference: 'invoice-2041', granted: 5_000, credits: 5_349, replayed: false },
  },
  async handle(context, { act, event, input: { account: named, credits, ...given } }) {
    const { accountId: id } = await found(context, named)
    const moved = await act(grantCredits, {
      accountId: id,
      credits,
      reference: given.reference ?? null,
      event: event(),
      note: given.note ?? 'granted_by_administrator',
      expiresAt: given.expires_at === undefined ? null : Date.parse(given.expires_at),
    })
    return {
      account_id: id,
      reference: given.reference,
      granted: credits,
      ...afterMove(moved),
    }
  },
})

const reverse = operatorEndpoint({
  verb: 'reverse',
  role: 'billing',
  path: '/operator/v1/grants/reverse',
  title: 'Take credits back',
  summary:
    'Takes credits of a grant back, after a refund or a dispute of its payment. All reversals of a grant take back at most its credits. Credits that the balance does not hold become debt, which later grants pay first; the reversal of an expired grant makes no debt. The same request again changes nothing, and returns the first reversal.',
  input: Type.Object({
    reference: reference('the reference of the grant'),
    credits: Type.Integer({ minimum: 1, maximum: MAX_CREDITS, description: 'credits to take back' }),
    reversal_reference: reference('identifies the reversal, for example the number of a refund'),
    reason,
  }),
  output: Type.Object({
    account_id: accountId,
    reference: text('the reference of the grant'),
    reversal_reference: text('the reference of the reversal'),
    reversed: whole('credits of the reversal'),
    credits: whole('balance'),
    debt,
    replayed: Type.Boolean({ description: 'whether an earlier request had made the reversal' }),
  }),
  failures: ['not_found', 'conflict'],
  twoPersons: {
    act: 'reverse',
    credits: ({ credits }) => credits,
    isDone: ({ store }, { reversal_reference: reference }) => store.run(isReferenceUsed, reference),
  },
  command: {
    examples: [
      ['reverse invoice-2041 75 --reference refund-311', 'take 75 credits of the grant invoice-2041 back'],
      ['reverse invoice-2041 75 --reference refund-311 --json', 'the same again changes nothing'],
    ],
    words: ['reference', 'credits'],
    flags: { reversal_reference: '--reference' },
    json: ({ replayed, reversal_reference: reference, reversed, ...account }) => ({
      ...account,
      reversed: replayed ? 0 : reversed,
      reference,
      changed: !replayed,
    }),
  },
  said: ({ reference, reversal_reference: reversal, reversed, ...moved }, { name }) =>
    movedText(
      moved,
      moved.replayed
        ? `${reversal} was taken back from ${name} before, and nothing was changed`
        : `Took ${counted(reversed, 'credit')} of ${reference} back from ${name}`,
    ),
  example: {
    input: { reference: 'invoice-2041', credits: 75, reversal_reference: 'refund-311' },
    output: {
      account_id: 17,
      reference: 'invoice-2041',
      reversal_reference: 'refund-311',
      reversed: 75,
      credits: 5_274,
      replayed: false,
    },
  },
  async handle(_, { act, event, input }) {
    const moved = await act(reverseGrant, {
      reference: input.reference,
      reversalReference: input.reversal_reference,
      credits: input.credits,
      event: event(),
    })
    return {
      account_id: moved.accountId,
      reference: input.reference,
      reversal_reference: input.reversal_reference,
      reversed: input.credits,
      ...afterMove(moved),
    }
  },
})

const verifyLedger = operatorEndpoint({
  verb: 'verify-ledger',
  role: 'viewer',
  path: '/operator/v1/verify-ledger',
  title: 'Check the ledger',
  summary:
    'Checks the sums of every account, and makes a digest of them: equal ledgers have equal digests. Every balance less debt must equal grants + transfers + refunds − debits − reversals − expired, lots must not exceed balances, nor reversals their grants, and the spending of every team key must equal the charges of its calls. Reads one snapshot. The metrics show the result of a check of all accounts.',
  input: Type.Object({ account: Type.Optional(account) }),
  output: Type.Object({
    ok: Type.Boolean({ description: 'whether all agree' }),
    accounts: whole('accounts that were checked'),
    credits: whole('sum of their balances'),
    digest: text('SHA-256 over balances, movements and debits: equal for equal ledgers'),
    violations: Type.Array(
      Type.Object({
        account_id: accountId,
        credits: whole('balance'),
        expected: whole('by the ledger'),
        debt,
        lots: Type.Optional(whole('credits in its lots, where these exceed the balance')),
      }),
    ),
    team_keys: Type.Array(
      Type.Object({
        account_id: accountId,
        key_id: whole('the team key'),
        spent: whole('credits that it has spent'),
        expected: whole('credits that its calls were charged'),
      }),
    ),
    reversals: Type.Array(
      Type.Object({
        account_id: accountId,
        reference: text('the grant'),
        credits: whole('its credits'),
        reversed: whole('credits that the grant counts as taken back'),
        expected: whole('credits that its reversals took back'),
      }),
    ),
  }),
  failures: ['not_found'],
  command: {
    examples: [
      ['verify-ledger', 'check all accounts; exits with 1 if one differs'],
      ['verify-ledger ada@example.org --json', 'check one account, for a script'],
      ['verify-ledger --json | jq -r .digest', 'compare a restored backup with its original'],
    ],
    words: ['account'],
    text: checkText,
    fails: ({ ok }) => !ok,
  },
  said: ({ accounts, ok }, { name }) =>
    ok
      ? `The ledger agrees: checked ${name || plural(accounts, 'account')}.`
      : `The ledger does not agree: checked ${name || plural(accounts, 'account')}.`,
  example: {
    input: {},
    output: {
      ok: true,
      accounts: 2,
      credits: 698,
      violations: [],
      team_keys: [],
      reversals: [],
      digest: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    },
  },
  async handle(context, { input }) {
    const id = input.account === undefined ? null : (await found(context, input.account)).accountId
    const check = await context.reads.run(checkLedger, id)
    const json = checkJson(check)
    if (id === null) await context.store.run(recordLedgerCheck, faultsIn(check))
    return json
  },
})

export const moneyEndpoints = [grant, reverse, verifyLedger]
