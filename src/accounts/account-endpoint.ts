/**
 * An account endpoint: its declaration with its handler, the parts that handlers work with, and what a change of an account leaves.
 */
import type { Static, TSchema } from 'typebox'
import type { KeyedQueue } from '../base/bounded-queue.ts'
import { uuidv7 } from '../base/ids.ts'
import {
  completed,
  type Declared,
  type Endpoint,
  type Fields,
  type KeyNeeded,
} from '../compute/catalogue/endpoint.ts'
import type { FoundReceipt } from '../ledger/receipts/receipt.ts'
import type { InitialCredits, Plan } from '../ledger/rules/plan.ts'
import { type EventOrigin, writeEvent } from '../ledger/store/events.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import type { Store } from '../ledger/store/store.ts'
import type { AccountRequest, IpLimit, Origin } from '../protocol/handler.ts'
import type { TeamKeyHash } from '../secrets/keys.ts'
import type { Passwords } from '../secrets/passwords.ts'
import type { Vault } from '../secrets/vault.ts'
import type { History } from './history.ts'
import { type NewMail, queueMail } from './mail/outbox.ts'

export interface AccountEndpoint<
  Input extends Fields = Fields,
  Query extends Fields = Fields,
  Output extends TSchema = TSchema,
  Key extends KeyNeeded = KeyNeeded,
> extends Endpoint<Input, Query, Output> {
  readonly key: Key
  /** The limit by client address; null: there is none. */
  readonly perIp: IpLimit | null
  /** Returns the `data` of the reply. Throws Failure. */
  handle(context: AccountContext, request: AccountRequest<Input, Query, Key>): Promise<Static<Output>>
}

/** Infers the types of the handler from the declared schemas. */
export const accountEndpoint = <
  Output extends TSchema,
  Key extends KeyNeeded,
  Input extends Fields = null,
  Query extends Fields = null,
>(
  declared: Declared<AccountEndpoint<Input, Query, Output, Key>, Input, Output, 'message' | 'perIp'>,
): AccountEndpoint<Input, Query, Output, Key> =>
  ({ message: null, perIp: null, ...completed(declared) }) as never

export interface AccountContext {
  readonly store: Store
  readonly history: Omit<History, 'close'>
  readonly vault: Vault
  readonly hashTeamKey: TeamKeyHash
  /** The present limits of each account type. */
  readonly limits: () => Pick<Plan, 'tiers' | 'work'>
  /** Paths of the operations, which team keys may be limited to. */
  readonly paths: ReadonlySet<string>
  readonly passwords: Passwords
  /** Serializes the password checks of one e-mail address. */
  readonly passwordQueue: KeyedQueue
  /** Makes the mail sender read the outbox; to be called after a mail was queued. */
  readonly wakeSender: () => void
  /** The receipt of an audit row; makes a checkpoint if none covers the row yet. */
  readonly receiptOf: (row: { readonly id: string; readonly at: number }) => Promise<FoundReceipt>
  readonly log: AccountLog
  /** Name of the service in authenticator apps. */
  readonly issuer: string
  /** Credits of a new account and of a new guest key. */
  readonly initialCredits: () => InitialCredits
}

/** The part of a logger that accounts need. */
interface AccountLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** The origin of an event, with the id of its audit row. */
export const eventOf = (origin: Origin): EventOrigin => ({ auditId: uuidv7(), ...origin })

/** An act of the account's owner. */
export interface OwnAct {
  readonly accountId: number
  readonly event: EventOrigin
}

/** A change by the account's owner, with the mail that confirms it. */
export interface AccountChange extends OwnAct {
  readonly mail: NewMail
}

/** Queues the mail of a change and writes its event. */
export function* confirmChange(
  sql: Sql,
  { accountId, event, mail }: AccountChange,
  name: string,
): Transaction<void> {
  const now = yield* sql.clock()
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name })
}
