/** The outcome of an act for a person: a sentence, and the request that undoes the act, both as its declaration states them. */
import { accountView, type FoundAccount, foundJson, nameOf } from '../accounts.ts'
import type { OperatorContext, OperatorEndpoint, OutcomeFacts, Undo } from './endpoint.ts'
import { referenceOf } from './field-schemas.ts'

type Given = Readonly<Record<string, unknown>> | null

interface Named {
  readonly account?: { readonly account_id: number; readonly email: string | null }
  readonly account_id?: number | null
}

/** The account that a request names, before the act; null: it names none, or there is none. */
export async function accountBefore(
  { store }: Pick<OperatorContext, 'store'>,
  given: Given,
): Promise<FoundAccount | null> {
  const named = given?.account as string | number | undefined
  return named === undefined ? null : await store.run(accountView, referenceOf(named))
}

/** The facts that a sentence needs besides the data. @param before the account before the act */
export async function factsOf(
  { plan, store }: Pick<OperatorContext, 'plan' | 'store'>,
  given: Given,
  before: FoundAccount | null,
  data: unknown,
): Promise<OutcomeFacts> {
  const { account, account_id: accountId } = data as Named
  const after =
    account !== undefined
      ? { accountId: account.account_id, email: account.email }
      : accountId == null || before !== null
        ? null
        : await store.run(accountView, { accountId })
  const concerned = before ?? after
  return {
    given: given as never,
    name: concerned === null ? '' : nameOf(concerned),
    account: before && foundJson(before, plan()),
  }
}

/** The sentence and the undoing request of an act; null: the endpoint only reads. */
export async function outcomeOf(
  context: OperatorContext,
  endpoint: OperatorEndpoint,
  {
    before,
    data,
    given,
  }: { readonly before: FoundAccount | null; readonly data: unknown; readonly given: Given },
): Promise<{ readonly message: string; readonly undo: Undo | null } | null> {
  if (endpoint.said === undefined) return null
  const facts = await factsOf(context, given, before, data)
  const undo = (await endpoint.undo?.(data, facts, context)) ?? null
  return { message: endpoint.said(data, facts), undo }
}
