/** Acts that need two persons: the request of the first person waits, and the confirmation of the second one runs it. */
import {
  approvalEnded,
  noSuchApproval,
  ownApproval,
  roleForbidden,
  secondPersonNeeded,
} from '../../base/errors/operator.ts'
import { succeeded } from '../../base/failure.ts'
import { isoTime } from '../../base/time.ts'
import type { Fields, ValueOf } from '../../compute/catalogue/endpoint.ts'
import type { Verb } from '../../ledger/store/store.ts'
import {
  type Approval,
  approvalOf,
  askApproval,
  confirmApproval,
  loneAct,
  rejectApproval,
  runAlone,
} from '../approvals.ts'
import { mayAct, needsSecond } from '../roles.ts'
import { countForbidden, type OperatorToken } from '../tokens.ts'
import { found } from './account-endpoints.ts'
import {
  accountBefore,
  type OperatorContext,
  type OperatorEndpoint,
  type OperatorRequest,
  outcomeOf,
} from './endpoint.ts'

type Asked = Pick<OperatorRequest, 'event' | 'input'> & { readonly by: Pick<OperatorToken, 'person'> }

type Acting = Pick<OperatorRequest, 'by' | 'event'>

/** Throws Failure `second_person_needed` if the request has to wait, or `not_found` if its account does not exist. */
export async function waitForSecond(
  context: OperatorContext,
  endpoint: OperatorEndpoint,
  asked: Asked,
): Promise<void> {
  const { twoPersons } = endpoint
  if (twoPersons === undefined) return
  const { act, credits, isDone } = twoPersons
  if (!needsSecond(context.twoPersons, act, credits(asked.input))) return
  if (await isDone?.(context, asked.input)) return
  await propose(context, endpoint, asked)
}

/**
 * The function by which a request runs its verb. It throws Failure `second_person_needed` if the credits, with those that the
 * person has moved alone before, need a second person.
 */
export function actOf(
  context: OperatorContext,
  endpoint: OperatorEndpoint,
  asked: Asked,
): OperatorRequest['act'] {
  const { twoPersons } = endpoint
  const { by, input } = asked
  const alone =
    twoPersons === undefined
      ? null
      : loneAct(context.twoPersons, by.person, { act: twoPersons.act, credits: twoPersons.credits(input) })
  return async (verb, ...args) => {
    const done = await runAlone(context.store, alone, verb, ...args)
    if (done !== null) return succeeded(done.result)
    // A repeated request changes nothing.
    if (await twoPersons?.isDone?.(context, input)) return succeeded(await context.store.run(verb, ...args))
    return await propose(context, endpoint, asked)
  }
}

/** Stores the request, which waits. Throws Failure. */
async function propose(
  context: OperatorContext,
  { path, twoPersons }: OperatorEndpoint,
  { by, event, input }: Asked,
): Promise<never> {
  const { act, check } = twoPersons!
  await check?.(context, input)
  const { account, reason = null, ...given } = input as Record<string, string | number>
  // The account is stored by its number, because its address may belong to another account when the act is confirmed.
  const accountId = account === undefined ? null : (await found(context, account)).accountId
  const pinned = { ...(accountId !== null && { account: accountId }), ...given }
  const asked = await context.store.run(askApproval, {
    act,
    path,
    accountId,
    person: by.person,
    event: event(),
    input: JSON.stringify(pinned),
    reason: reason === null ? null : String(reason),
  })
  const { expiresAt, id } = succeeded(asked)
  throw secondPersonNeeded(id, isoTime(expiresAt)!)
}

/** An approval as it is after a decision, with the sentence of the act if it was done. */
interface Decided {
  readonly approval: Approval
  readonly done?: string
}

/** Runs a waiting act, as an act of both persons. Throws Failure. */
export async function confirm(context: OperatorContext, id: number, { by, event }: Acting): Promise<Decided> {
  const approval = await waiting(context, id)
  if (approval.person === by.person) throw ownApproval()
  const endpoint = await rightful(context, approval, { by, event })
  const { askedBy: actor, path, reason } = approval
  const { reason: _, ...own } = event()
  const ofBoth = { ...own, path, actor, confirmedBy: by.name, ...(reason !== null && { reason }) }
  const given = JSON.parse(approval.input)
  const before = await accountBefore(context, given)
  const data = await endpoint.handle(context, {
    by,
    query: null,
    input: given as ValueOf<Fields>,
    event: () => ({ ...ofBoth, auditId: event().auditId }),
    async act<Args extends readonly unknown[], Result>(verb: Verb<Args, Result>, ...args: Args) {
      const confirmed = await context.store.run((sql) =>
        confirmApproval(sql, { id, event: event() }, verb(sql, ...args)),
      )
      if (confirmed === null) throw await ended(context, id)
      return succeeded(confirmed.result)
    },
  })
  const outcome = await outcomeOf(context, endpoint, { before, data, given })
  return { approval: (await context.store.run(approvalOf, id))!, ...(outcome && { done: outcome.message }) }
}

/** Rejects a waiting act. Throws Failure. */
export async function reject(context: OperatorContext, id: number, { by, event }: Acting): Promise<Decided> {
  const approval = await waiting(context, id)
  if (approval.person !== by.person) await rightful(context, approval, { by, event })
  if (!(await context.store.run(rejectApproval, { id, event: event() }))) throw await ended(context, id)
  return { approval: (await context.store.run(approvalOf, id))! }
}

/** The endpoint of the act. Throws Failure `role_forbidden` if the role of the request may not call it. */
async function rightful(
  context: OperatorContext,
  { id, path }: Approval,
  { by, event }: Acting,
): Promise<OperatorEndpoint> {
  const endpoint = context.endpointAt(path)
  if (endpoint === undefined) throw noSuchApproval(id)
  await refuseRole(context, endpoint, { by, event })
  return endpoint
}

/** Refuses a request whose role may not call the endpoint: writes its event and throws Failure `role_forbidden`. */
export async function refuseRole(
  { store }: Pick<OperatorContext, 'store'>,
  { role: needed }: Pick<OperatorEndpoint, 'role'>,
  { by: { role }, event }: Acting,
): Promise<void> {
  if (mayAct(role, needed)) return
  await store.run(countForbidden, { event: event(), role, needed })
  throw roleForbidden(role, needed)
}

/** A waiting approval. Throws Failure `not_found`, or `conflict` if it does not wait any more. */
async function waiting({ store }: Pick<OperatorContext, 'store'>, id: number): Promise<Approval> {
  const approval = await store.run(approvalOf, id)
  if (approval === null) throw noSuchApproval(id)
  if (approval.state !== 'waiting') throw approvalEnded(id, approval.state, approval.decidedBy)
  return approval
}

async function ended({ store }: Pick<OperatorContext, 'store'>, id: number) {
  const approval = await store.run(approvalOf, id)
  return approval === null ? noSuchApproval(id) : approvalEnded(id, approval.state, approval.decidedBy)
}
