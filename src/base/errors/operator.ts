/** The text of every failure of the operators' interface. */
import { Failure } from '../failure.ts'
import { tooManyAttempts } from './requests.ts'

export const tokenInvalid = () =>
  new Failure(
    'token_invalid',
    'The operator token is missing, unknown, expired or revoked; send one as "Authorization: Bearer qd_op_…".',
  )
export const sessionInvalid = () => new Failure('token_invalid', 'The session has ended: log in again.')
export const notFromThisPage = () =>
  new Failure('token_invalid', 'Only the page of this service may use a session; programs send a token.')
export const tooManyWrongTokens = (seconds: number) => tooManyAttempts('tokens', seconds)
export const roleForbidden = (role: string, needed: string) =>
  new Failure('role_forbidden', `This needs the role ${needed}; you have the role ${role}.`)
/** @param until ISO 8601 */
export const secondPersonNeeded = (id: number, until: string) =>
  new Failure(
    'second_person_needed',
    `This needs a second person: it waits as approval ${id} until ${until}. Nothing was done yet.`,
    { details: [{ path: '/approval', message: String(id) }] },
  )
/** @param most the most acts of a person that may wait */
export const tooManyApprovals = (most: number) =>
  new Failure(
    'conflict',
    `${most} acts of yours wait for a second person, which is the most: have some confirmed, or reject them.`,
  )
export const noCallWithId = () =>
  new Failure('not_found', 'No call has this request id, or its rows are past their retention.')
export const noSuchApproval = (id: number) => new Failure('not_found', `There is no approval ${id}.`)
/** @param state the outcome: `confirmed`, `rejected` or `expired` */
export const approvalEnded = (id: number, state: string, by: string | null) =>
  new Failure(
    'conflict',
    `The approval ${id} does not wait any more: it ${state === 'expired' ? 'has expired' : `was ${state}${by === null ? '' : ` by ${by}`}`}.`,
  )
export const ownApproval = () =>
  new Failure(
    'conflict',
    'Another person must confirm this: you have asked for it, or your token was made by the one who did. You may reject it.',
  )
export const grantSeparately = () =>
  new Failure(
    'conflict',
    'So many credits, or this type, need two persons: create the account with 0 credits and without a type, then grant the credits and set the type.',
  )
export const noSuchAccount = (account: string | number) =>
  new Failure('not_found', `There is no account ${account}.`)
export const addressTaken = (address: string) =>
  new Failure('conflict', `The address ${address} already has an account.`)
export const noKeyToSuspend = () =>
  new Failure('conflict', 'The account has no key: a revoked key can be neither suspended nor restored.')
/** Changes that only a registered account can undergo. */
const REGISTERED_ONLY = {
  tier: 'its type cannot be changed',
  limits: 'its limits cannot be changed',
  key: 'its key cannot be replaced',
  credits: 'it cannot be granted credits',
  second_factor: 'it has no second factor',
} as const
export type RegisteredOnly = keyof typeof REGISTERED_ONLY
export const isGuestAccount = (accountId: number, change: RegisteredOnly) =>
  new Failure('conflict', `Account ${accountId} is a guest: ${REGISTERED_ONLY[change]}.`)
/** @param used the movement that has this reference */
export const referenceTaken = (
  reference: string,
  used: { readonly accountId: number; readonly credits: number; readonly isReversal: boolean },
) =>
  new Failure(
    'conflict',
    `The reference ${reference} was used before: ${used.credits} credits were ${used.isReversal ? 'taken back from' : 'granted to'} account ${used.accountId}. Nothing was changed.`,
  )
export const noSuchGrant = (reference: string) =>
  new Failure('not_found', `No grant has the reference ${reference}, or its account was deleted.`)
export const beyondGrant = (reference: string, granted: number, reversed: number) =>
  new Failure(
    'conflict',
    `The grant ${reference} has ${granted} credits, of which ${reversed} were taken back before. Nothing was changed.`,
  )
export const tooManyLots = (limit: number) =>
  new Failure(
    'conflict',
    `The account has ${limit} grants that expire and have credits left, which is the limit. Nothing was changed.`,
  )
export const tokenNameTaken = (name: string) =>
  new Failure('conflict', `A token that is in use has the name ${name}; choose another, or revoke that one.`)
export const noSuchToken = () => new Failure('not_found', 'There is no token with this id.')
export const noSuchMail = () => new Failure('not_found', 'No such mail is waiting: it was sent or given up.')
export const unusableEndpoint = (url: string, fault: string) =>
  new Failure('invalid_input', `${url} cannot receive events: ${fault}.`, {
    details: [{ path: '/url', message: `cannot receive events: ${fault}` }],
  })
export const alertsOff = () =>
  new Failure('conflict', 'The service sends no alerts: set QUANTD_ALERTS, and start it again.')
export const noSuchEndpoint = (id: number) => new Failure('not_found', `There is no endpoint ${id}.`)
export const eventsOrSpan = () =>
  new Failure('invalid_input', 'Name either the ids of events, or the time since which they are sent again.')
export const noEventId = (id: string) =>
  new Failure('invalid_input', `${id} is not the id of an event.`, {
    details: [{ path: '/events', message: 'has a text that is not the id of an event' }],
  })
export const noOwnKeyToReplace = () =>
  new Failure('conflict', 'The account has no active key of its own; lift its suspension first.')
export const grantEndIsPast = () =>
  new Failure('invalid_input', 'The end of the grant is in the past.', {
    details: [{ path: '/expires_at', message: 'must be a time in the future' }],
  })
export const dayIsOpen = () =>
  new Failure('conflict', 'This day is not closed yet: it can be exported an hour after its end, UTC.')
export const auditIsGone = () =>
  new Failure('conflict', 'The audit of this day was deleted in part or in whole, or there is none.')
export const eventsOfNoAccount = () =>
  new Failure('invalid_input', 'Events are listed by account: send `account`, or rows=acts or rows=calls.', {
    details: [{ path: '/account', message: 'is required with rows=events' }],
  })
/** @param seconds for which a key must have been in the file */
export const masterKeyUnsettled = (seconds: number) =>
  new Failure(
    'conflict',
    `The first master key does not encrypt on this node yet; nothing was changed. Try again when its file has held the key for ${seconds} s; the log says if it cannot be read.`,
  )
export const unreadableSecrets = () =>
  new Failure(
    'conflict',
    'Some secrets are under a master key that the service does not have; nothing was changed. Configure that key too.',
  )
export const planHasChanged = (version: number, by: string | null, basedOn: number) =>
  new Failure(
    'conflict',
    `The plan has the version ${version} by now${by === null ? '' : `, made by ${by}`}; this change is based on version ${basedOn}. Nothing was changed: read the plan and decide again.`,
  )
/** @param path the path that no operation has */
export const noSuchOperation = (path: string) =>
  new Failure(
    'invalid_input',
    `There is no operation ${path}; batches and columns cost what their calls cost.`,
    {
      details: [
        {
          path: `/costs/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          message: 'is not an operation',
        },
      ],
    },
  )
export const monthUnknown = () =>
  new Failure('invalid_input', 'month is not a month of the calendar, such as 2026-01.', {
    details: [{ path: '/month', message: 'is not a month of the calendar' }],
  })
