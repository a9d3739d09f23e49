/** The declaration of an act of operators: its endpoint, its command and its handler in one value. */
import type { Static, TSchema } from 'typebox'
import type { History } from '../../accounts/history.ts'
import type { Failure } from '../../base/failure.ts'
import { Type } from '../../base/type.ts'
import {
  completed,
  type Declared,
  type Endpoint,
  type Fields,
  type ValueOf,
} from '../../compute/catalogue/endpoint.ts'
import type { Plan } from '../../ledger/rules/plan.ts'
import type { Replication, Runner, Store, Verb } from '../../ledger/store/store.ts'
import type { TeamKeyHash } from '../../secrets/keys.ts'
import type { Vault } from '../../secrets/vault.ts'
import { accountView, type FoundAccount, foundJson, nameOf } from '../accounts.ts'
import type { ReadActivity } from '../activity.ts'
import type { AlertTargets } from '../alerts/notice.ts'
import type { AdminEvent } from '../audit-event.ts'
import type { PlanVersion } from '../plans.ts'
import type { Role, TwoPersonAct, TwoPersons } from '../roles.ts'
import type { RotationParts } from '../rotation.ts'
import type { OperatorToken } from '../tokens.ts'
import { referenceOf } from './field-schemas.ts'

/** The parts that the handlers work with. */
export interface OperatorContext {
  readonly store: Store
  /** Runs reads, each in a snapshot that locks nothing. The `store` of a GET request runs nothing else. */
  readonly reads: Runner
  readonly vault: Vault
  readonly hashToken: TeamKeyHash
  /** The hashes by which a key is searched; empty: the text is no key. */
  hashesOfKey(text: string): readonly Uint8Array[]
  /** The plan in force. */
  plan(): Plan
  /** Reads the plan again, after a change; returns its version. */
  readPlan(): Promise<PlanVersion>
  /** The plan of the settings. */
  readonly settings: Plan
  /** Paths of the operations. */
  readonly operationPaths: readonly string[]
  /** Where the service sends alerts; null: it sends none. */
  readonly alerts: AlertTargets | null
  /** Whether webhooks may go to private addresses. */
  readonly webhookPrivate: boolean
  /** The retention of the audit; null: rows are kept for ever. */
  readonly auditRetentionDays: number | null
  readonly masterKeyIds: () => RotationParts['masterKeyIds']
  /** Whether this node already encrypts under the first of its master keys. */
  readonly isMasterKeySettled: () => boolean
  hashPassword(password: string): Promise<string>
  readonly history: Pick<History, 'keepSums' | 'usage' | 'usageSums'>
  /** Resolves with the replication of the database. Rejects if the database cannot commit. */
  isReady(): Promise<Replication>
  readonly activity: ReadActivity
  readonly twoPersons: TwoPersons
  /** The endpoint of a path. */
  readonly endpointAt: (path: string) => OperatorEndpoint | undefined
  readonly node: NodeState
}

/** The state of this node, which the database does not hold. */
export interface NodeState {
  readonly version: string
  readonly startedAt: number
  readonly database: 'sqlite' | 'postgres'
  /** The last replies with status 500 and above, the newest first. */
  faults(): readonly Fault[]
}

/** One or several consecutive replies with the same failure of the same endpoint. */
export interface Fault {
  /** The time of the last one. */
  readonly at: number
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly times: number
}

export interface OperatorRequest<Input extends Fields = Fields, Query extends Fields = Fields> {
  readonly input: ValueOf<Input>
  readonly query: ValueOf<Query>
  /** The token that requested the act; for a confirmed act, that of the first person. On the command line the person is unknown. */
  readonly by: Pick<OperatorToken, 'name' | 'role'> & {
    readonly person: string | null
    /** Null: the command line. */
    readonly id: number | null
  }
  /** Makes an event of the act, which names the token. */
  event(): AdminEvent
  /**
   * Runs the verb of an act; if a second person confirms the act, in one transaction with the confirmation. Throws the Failure
   * that the verb returns, which has then written nothing.
   */
  act<Args extends readonly unknown[], Result>(
    verb: Verb<Args, Result>,
    ...args: Args
  ): Promise<Exclude<Result, Failure>>
}

/** The fields of a request: those of the body, or of the query. */
type GivenOf<Input extends Fields, Query extends Fields> = Input extends null
  ? ValueOf<Query>
  : ValueOf<Input>

/**
 * The command of `quantd admin` for an act. Its arguments and options are the fields of the request, with their texts and
 * checks.
 */
interface ActCommand<Given, Data> {
  /** Command lines after `admin`, each with its effect. */
  readonly examples: readonly (readonly [commandLine: string, effect: string])[]
  /** The fields that are arguments, in their order; absent: the required ones. */
  readonly words?: readonly string[]
  /** Names of options that are not those of their fields. */
  readonly flags?: Readonly<Record<string, string>>
  /** A field that only the endpoint requires, because a program may send its request again. */
  readonly optional?: string
  /** A field that is read from standard input. */
  readonly stdin?: string
  /** The parts that the handler needs, and that take time to load: the master keys, or the paths of the operations. */
  readonly needs?: 'secrets' | 'operations'
  /** Whether the command may create the database. */
  readonly mayCreate?: true
  /** The question before a change that cannot be undone; null: none. @param name of the account in a sentence */
  ask?(account: FoundAccount, name: string): string | null
  /** The cells of the line of a list item. */
  line?(item: ItemOf<Data>): readonly unknown[]
  /** The printed text; absent: the sentence of the act with its secrets, or the lines of a list. */
  text?(data: Data, facts: TextFacts<Given>): string
  /** The output with --json; absent: the data. */
  json?(data: Data, given: Given): object
  /** Whether the command ends with exit code 1. */
  fails?(data: Data): boolean
}

type ItemOf<Data> = Data extends { readonly items: readonly (infer Item)[] } ? Item : never

/** The facts that the text of a command needs besides the data. */
interface TextFacts<Given> {
  readonly given: Given
  /** The account before the act; null: the act names none. */
  readonly account: FoundAccount | null
  readonly plan: Plan
}

/** The facts that the sentence of an act needs besides the data. */
export interface OutcomeFacts<Given = never> {
  readonly given: Given
  /** The name of the account in a sentence; empty: the act concerns none. */
  readonly name: string
  /** The account before the act; null: the request names none. */
  readonly account: ReturnType<typeof foundJson> | null
}

/** A request that undoes an act. */
export interface Undo {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface OperatorEndpoint<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Output extends TSchema = TSchema,
> extends Omit<Endpoint<Input, Query, Output>, 'area' | 'key' | 'message'> {
  /** The verb of `quantd admin` that does the same; null: the command line needs none. */
  readonly verb: string | null
  /** Absent: there is no such command, or it streams or writes files and is written in `cli/admin/`. */
  readonly command?: ActCommand<GivenOf<Input, Query>, Static<Output>>
  /** The least role that may call it. */
  readonly role: Role
  /** Whether it cannot be undone: the summary says so, and the page has the name of what it is done to typed. */
  readonly final?: true
  /** What was done, in a sentence for people, without secrets; absent: the endpoint only reads. */
  said?(data: Static<Output>, facts: OutcomeFacts<ValueOf<Input>>): string
  /** Absent, or null: nothing undoes the act. */
  undo?(
    data: Static<Output>,
    facts: OutcomeFacts<ValueOf<Input>>,
    context: OperatorContext,
  ): Undo | null | Promise<Undo | null>
  /** The fields of its data that are shown only now. */
  readonly secrets?: readonly (keyof Static<Output> & string)[]
  /** Present if an operator may require a second person for the act. */
  readonly twoPersons?: {
    readonly act: TwoPersonAct
    /** The credits of the request; 0: the act moves none. */
    credits(input: ValueOf<Input>): number
    /** Throws the Failure of a request that would fail if it was confirmed now. */
    check?(context: OperatorContext, input: ValueOf<Input>): Promise<void>
    /** Whether the act was done before, so that the request changes nothing and needs no second person. */
    isDone?(context: OperatorContext, input: ValueOf<Input>): Promise<boolean>
  }
  /** The data as a table, for `format=csv`. */
  csv?(data: Static<Output>): string
  /** Returns the `data` of the reply. Throws Failure. */
  handle(context: OperatorContext, request: OperatorRequest<Input, Query>): Promise<Static<Output>>
}

/**
 * Infers the types of the handler from the declared schemas. Unknown fields are refused: the act would be done without a misspelt
 * field, and a second person would see the field as a part of the act.
 */
export const operatorEndpoint = <
  Output extends TSchema,
  Input extends Fields = null,
  Query extends Fields = null,
>(
  declared: Declared<OperatorEndpoint<Input, Query, Output>, Input, Output>,
): OperatorEndpoint<Input, Query, Output> => {
  const { final, input, summary } = declared as Pick<OperatorEndpoint, 'final' | 'summary'> & {
    input?: Fields
  }
  const only = input && { input: Type.Object(input.properties, { additionalProperties: false }) }
  const told = final && { summary: `${summary} It cannot be undone.` }
  return completed({ ...declared, ...only, ...told }) as never
}

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
