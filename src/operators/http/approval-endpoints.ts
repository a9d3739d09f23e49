/** Acts that wait for a second person. */
import { nullable, rowNumber, text } from '../../accounts/field-schemas.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { accountsOf } from '../accounts.ts'
import { type Approval, approvalsPage } from '../approvals.ts'
import { confirm, reject } from './confirmation.ts'
import { operatorEndpoint } from './endpoint.ts'
import { cursorAfter, idIn, nextCursor, orNull, page, reason } from './field-schemas.ts'

const id = rowNumber('number of the approval')
const fields = {
  id,
  act: text('name of the act'),
  path: text('path of its endpoint'),
  request: Type.Record(Type.String(), Type.Unknown(), { description: 'its request' }),
  account_id: nullable(Type.Integer(), 'the account; null: it names none'),
  asked_by: text('person who asked for it'),
  reason: orNull('why'),
  asked_at: text('when'),
  expires_at: text('when the wait ends without a decision'),
  state: Type.Enum(['waiting', 'confirmed', 'rejected', 'expired'], {
    description: '`waiting`, or how the wait ended',
  }),
  decided_by: orNull('person who confirmed or rejected it'),
  decided_at: orNull('when'),
}
const EXAMPLE = {
  id: 12,
  act: 'grant',
  path: '/operator/v1/grants',
  account_id: 17,
  asked_by: 'billing system',
  request: { account: 17, credits: 50_000, reference: 'invoice-2042' },
  reason: null,
  asked_at: '2026-01-01T12:00:00.000Z',
  expires_at: '2026-01-02T12:00:00.000Z',
  state: 'waiting' as const,
  decided_by: null,
  decided_at: null,
}

const list = operatorEndpoint({
  verb: 'approvals list',
  role: 'viewer',
  path: '/operator/v1/approvals',
  title: 'Approvals',
  summary: 'Lists the acts that need a second person (`QUANTD_TWO_PERSONS`), the newest first.',
  query: Type.Object({
    state: Type.Optional(
      Type.Enum(['all', 'waiting'], { description: '`waiting`: only those that wait', default: 'all' }),
    ),
    ...page,
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        ...fields,
        email: orNull('address of the account; null: it has none, or was deleted'),
        account_deleted: Type.Boolean({
          description: 'whether the account was deleted since',
        }),
        yours: Type.Boolean({ description: 'whether you asked for it' }),
      }),
    ),
    next_cursor: nextCursor,
  }),
  command: {
    examples: [['approvals list', 'the newest thousand']],
    line: ({ account_deleted, act, asked_at, asked_by, id, request, state }) => [
      String(id).padStart(5),
      state.padEnd(9),
      asked_at.slice(0, 16),
      asked_by,
      act,
      JSON.stringify(request),
      ...(account_deleted ? ['The account was deleted.'] : []),
    ],
  },
  example: {
    output: {
      items: [{ ...EXAMPLE, email: 'ada@example.org', account_deleted: false, yours: false }],
      next_cursor: null,
    },
  },
  async handle({ store }, { by, query: { cursor, limit = 50, state } }) {
    const place = { limit, before: idIn(cursor) }
    const found = await store.run(approvalsPage, { ...place, waiting: state === 'waiting' })
    const named = await store.run(accountsOf, [...new Set(found.flatMap(({ accountId }) => accountId ?? []))])
    const emails = new Map<number | null, string | null>(
      named.map(({ accountId, email }) => [accountId, email]),
    )
    return {
      items: found.map((one) => ({
        ...approvalJson(one),
        email: emails.get(one.accountId) ?? null,
        account_deleted: one.accountId !== null && !emails.has(one.accountId),
        yours: one.person === by.person,
      })),
      next_cursor: cursorAfter(found, limit, ({ id }) => id),
    }
  },
})

const decision = (
  name: 'confirm' | 'reject',
  decide: typeof confirm,
  {
    more,
    ...texts
  }: { readonly title: string; readonly summary: string; readonly more?: { reason: string } },
) =>
  operatorEndpoint({
    verb: `approvals ${name}`,
    role: 'support',
    path: `/operator/v1/approvals/${name}`,
    ...texts,
    input: Type.Object({ id, reason }),
    output: Type.Object({ ...fields, done: Type.Optional(text('what the act has done')) }),
    failures: ['not_found', 'conflict'],
    command: {
      examples: [[`approvals ${name} 12`, 'by its number in the list']],
      needs: 'operations',
    },
    said: ({ act, asked_by: by, done, id, state }) =>
      `${done === undefined ? '' : `${done} `}Approval ${id} (${act}, asked by ${by}) is ${state}.`,
    example: {
      input: { id: 12, ...more },
      output: {
        ...EXAMPLE,
        state: `${name}ed` as const,
        decided_by: 'ada',
        decided_at: '2026-01-01T12:30:00.000Z',
      },
    },
    async handle(context, { input, ...request }) {
      const { approval, ...done } = await decide(context, input.id, request)
      return { ...approvalJson(approval), ...done }
    },
  })

export const approvalEndpoints = [
  list,
  decision('confirm', confirm, {
    title: 'Confirm an act',
    summary:
      'Confirms an act that waits, which runs at once as an act of both persons. The second person needs the role of the act, and must not be the one who asked for it. If the act fails, it goes on waiting.',
  }),
  decision('reject', reject, {
    title: 'Reject an act',
    summary: 'Rejects an act that waits, so that it never runs. The person who asked for it may do this too.',
    more: { reason: 'wrong account' },
  }),
]

const approvalJson = (approval: Approval) => ({
  id: approval.id,
  act: approval.act,
  path: approval.path,
  account_id: approval.accountId,
  request: JSON.parse(approval.input) as Record<string, unknown>,
  asked_by: approval.askedBy,
  reason: approval.reason,
  state: approval.state,
  asked_at: isoTime(approval.askedAt)!,
  expires_at: isoTime(approval.expiresAt)!,
  decided_by: approval.decidedBy,
  decided_at: isoTime(approval.decidedAt),
})
