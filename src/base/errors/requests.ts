/** The text of every failure that a caller gets, grouped by cause. failure.ts has the codes. */
import { type Detail, Failure, type FailureNumbers, placeOf } from '../failure.ts'
import { plural } from '../text.ts'
import { isoTime } from '../time.ts'
import { type UsedUp, usedUp } from './used-up.ts'

const at = (path: string, message: string) => ({ details: [{ path, message }] })
const overloaded = (message: string, seconds = 1, cause?: unknown) =>
  new Failure('overloaded', message, { retryAfterSeconds: seconds, cause })

// Requests and paths

export const requestTimeout = () =>
  new Failure('request_timeout', 'The rest of the request did not arrive in time; send it in full.')
export const headersTooLarge = () =>
  new Failure('headers_too_large', 'The headers are over 16 KiB; send fewer.')
export const unknownTransferCoding = () =>
  new Failure('not_implemented', 'The only transfer coding accepted is chunked; send the JSON uncompressed.')
/** @param problem a sentence that says what is wrong and what to do */
export const malformed = (problem: string) => new Failure('invalid_json', problem)
export const foreignHost = () =>
  new Failure(
    'invalid_json',
    'This listener does not answer to the name in the Host header: use its address, or name its origin in QUANTD_OPERATOR_ORIGIN.',
  )
/** @param closest a path with a similar spelling; null: there is none */
export const noSuchPath = (path: string, closest: string | null) =>
  new Failure(
    'route_not_found',
    closest === null
      ? `There is no ${path}; the endpoints are listed at /docs.`
      : `There is no ${path}; did you mean ${closest}?`,
  )
export const noSuchComputation = (path: string) =>
  new Failure('route_not_found', `There is no computation at ${path}.`)
export const noSuchMethod = (path: string, known: readonly string[], method: string) =>
  new Failure('method_not_allowed', `The path ${path} takes ${known.join(' or ')}, not ${method}.`)
export const noProxy = () =>
  new Failure('method_not_allowed', 'This service is no proxy; it takes GET, HEAD and POST.')

// Keys

/** The two messages that the specification fixes to the letter; hints are in the details. */
export const INVALID_KEY = 'Invalid or expired API key'
export const EXPIRED_GUEST_KEY = 'Guest API key has expired'

/** @param place where a key was sent instead; null: nowhere */
export const keyMissing = (place: string | null) => {
  const hint = place === null ? 'no key was sent' : `the key was sent in ${place}`
  return new Failure('api_key_missing', INVALID_KEY, at('', `${hint}; send it as X-API-Key or bearer token`))
}
/** @param hint why a text is not a key; absent: it has the format of one */
export const keyInvalid = (hint?: string) =>
  new Failure('api_key_invalid', INVALID_KEY, hint === undefined ? {} : at('', hint))
/** @param reason what is wrong with an access token, after "the access token" */
export const tokenInvalid = (reason: string) => {
  const description = `the access token ${reason}`
  return new Failure('api_key_invalid', INVALID_KEY, {
    ...at('', description),
    challenge: { error: 'invalid_token', description },
  })
}
export const scopeMissing = (scope: string) =>
  new Failure(
    'key_forbidden',
    `The access token lacks the scope ${scope}; ask the provider for a token with it.`,
    {
      challenge: { error: 'insufficient_scope', description: `the access token lacks the scope ${scope}` },
    },
  )
export const accountUnverified = () =>
  new Failure(
    'account_unverified',
    'The account of this key is not verified yet; confirm it with the code from the mail.',
  )
export const guestKeyExpired = () => new Failure('guest_key_expired', EXPIRED_GUEST_KEY)
export const guestForbidden = () =>
  new Failure('guest_forbidden', 'This needs a registered account; register at /user/register.')
export const keyForbidden = () =>
  new Failure('key_forbidden', 'This team key may not do this; ask the owner of the account.')
export const addressForbidden = (ip: string) =>
  new Failure(
    'key_forbidden',
    `This team key may not be used from the address ${ip}; ask the owner of the account.`,
  )
export const registrationClosed = () =>
  new Failure('closed', 'Registration is closed on this service; ask its operator for an account.')
export const guestsClosed = () =>
  new Failure(
    'closed',
    'This service creates no guest keys; register at /user/register, or ask its operator for an account.',
  )

// Bodies

export const bodyTooLarge = (limitBytes: number) =>
  new Failure('body_too_large', `The body is over ${limitBytes} bytes; send less at once.`)
export const bodyCutShort = (cause?: unknown) =>
  new Failure('invalid_json', 'The connection ended before the whole body arrived; send it again.', { cause })
/** The bodies that an endpoint takes besides JSON. */
export interface AcceptedBodies {
  readonly takesArrow?: boolean | undefined
}

export const notJson = ({ takesArrow }: AcceptedBodies) =>
  new Failure(
    'unsupported_media_type',
    takesArrow
      ? 'Send the body as JSON with the header "Content-Type: application/json", or as an Arrow stream with "Content-Type: application/vnd.apache.arrow.stream".'
      : 'Send the body as JSON with the header "Content-Type: application/json".',
  )
export const compressed = ({ takesArrow }: AcceptedBodies) =>
  new Failure(
    'unsupported_media_type',
    `Compressed bodies are not accepted; send the ${takesArrow ? 'body' : 'JSON'} uncompressed.`,
  )
export const otherCharset = () =>
  new Failure('unsupported_media_type', 'Bodies must be UTF-8; encode the JSON as UTF-8.')
export const notUtf8 = () => new Failure('invalid_json', 'The body is not UTF-8; encode it as UTF-8.')
export const tooDeep = (levels: number) =>
  new Failure('invalid_json', `The body nests deeper than ${levels} levels; flatten it.`)
/** @param found the character at which the text stops being JSON; null: the end of the body */
export const invalidJson = (found: string | null, line: number, column: number) =>
  new Failure(
    'invalid_json',
    `The body is not valid JSON: unexpected ${found === null ? 'end' : shownCharacter(found)} at line ${line}, column ${column}.`,
  )
/** A character in quotation marks; an invisible one, such as a byte order mark or a no-break space, by its number. */
const shownCharacter = (found: string): string =>
  /^(?![ -~])[\p{Cf}\p{Z}]/u.test(found)
    ? `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : JSON.stringify(found)
export const tooManyNumbers = (most: number) =>
  new Failure('invalid_input', `The body holds more than ${most} numbers; send parts of it.`)

export const tooManyStrings = (most: number) =>
  new Failure(
    'invalid_input',
    `The body has more than ${most} different names and words; no request has so many.`,
  )

/** The failure with these details, whose message states the first one. */
export function invalidInput(details: readonly Detail[]): Failure {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const message = invalidField(first?.path ?? '', `${first?.message ?? 'is not valid'}${more}`)
  return new Failure('invalid_input', message, { details })
}

export const invalidField = (path: string, problem: string): string =>
  `${placeOf(path)} ${problem}${problem.endsWith('?') ? '' : '.'}`

export const notFinite = () =>
  new Failure(
    'invalid_input',
    'The result is not a finite number at these values; bring the inputs closer to ordinary magnitudes.',
  )
export const unknownParameters = (unknown: readonly string[], known: readonly string[]) => {
  const isOne = unknown.length === 1
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  const takes = known.length === 0 ? 'no query parameters' : `only: ${known.join(', ')}`
  return new Failure(
    'invalid_input',
    `The query parameter${isOne ? '' : 's'} ${names} ${isOne ? 'is' : 'are'} not known; this endpoint takes ${takes}.`,
    {
      details: unknown.map((name) => ({
        path: `/${name}`,
        message: 'is not a query parameter of this endpoint',
      })),
    },
  )
}
export const parameterRefused = (name: string, problem: string) =>
  new Failure('invalid_input', `${name} ${problem}.`, at(`/${name}`, problem))
export const cursorRefused = () => parameterRefused('cursor', 'is not the next_cursor of a page')
export const dayUnknown = () => parameterRefused('day', 'is not a day of the calendar')
export const timeUnknown = (name: 'from' | 'to') => parameterRefused(name, 'is not a time of the calendar')
export const endNotAhead = () => {
  const problem = 'must be a time in the future'
  return new Failure('invalid_input', `expires_at ${problem}.`, at('/expires_at', problem))
}
export const idempotencyKeyRefused = () =>
  new Failure(
    'invalid_input',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    at('', 'the Idempotency-Key header must be 1 to 255 visible ASCII characters'),
  )
export const passwordRefused = (problem: string, path: string) =>
  new Failure('invalid_input', `The password ${problem}.`, at(path, problem))
export const batchOfTooManyNumbers = (numbers: number, most: number) =>
  new Failure(
    'invalid_input',
    `The calls hold ${numbers} numbers together; at most ${most} are taken: send several batches.`,
    at('/calls', `must hold at most ${most} numbers together`),
  )
export const batchOfTooMuchWork = (seconds: number, limitSeconds: number) =>
  new Failure(
    'invalid_input',
    `The calls would take about ${seconds} s together; the limit is ${limitSeconds} s a request: send several batches.`,
    { ...at('/calls', 'hold too much work together'), numbers: { seconds, limit_seconds: limitSeconds } },
  )
export function columnsOfTooMuchWork(seconds: number, limitSeconds: number): Failure {
  const problem = `would take about ${seconds} s; the limit is ${limitSeconds} s a request: send fewer rows at once`
  return new Failure('invalid_input', `columns ${problem}.`, {
    ...at('/columns', problem),
    numbers: { seconds, limit_seconds: limitSeconds },
  })
}
/** @param first the message of the first row */
export const allRowsFailed = (rows: number, first: string, details: readonly Detail[]) =>
  new Failure(
    'invalid_input',
    rows === 1 ? `The row failed: ${first}` : `All ${rows} rows failed; the first: ${first}`,
    { details },
  )

// Credits and windows

interface Shortage {
  readonly cost: number
  readonly balance: number
  /** The part of the balance that requests in progress may take. */
  readonly inFlight?: number
  /** Whether only a part of the cost is known. */
  readonly isAtLeast?: boolean
  readonly isGuest?: boolean
}

export const tooFewCredits = ({
  balance,
  cost,
  inFlight = 0,
  isAtLeast = false,
  isGuest = false,
}: Shortage) =>
  new Failure(
    'credits_exhausted',
    `This request needs ${isAtLeast ? 'at least ' : ''}${plural(cost, 'credit')}; the balance is ${balance}${inFlight > 0 ? `, of which ${inFlight} may be charged for requests in progress` : ''}; ${isGuest ? 'register at /user/register for more' : 'ask the operator of the service for more'}.`,
    { numbers: { ...costOf(cost, isAtLeast), balance, ...(inFlight > 0 && { in_progress: inFlight }) } },
  )

const costOf = (needed: number, isAtLeast: boolean): FailureNumbers => ({
  needed,
  ...(isAtLeast && { at_least: true }),
})

/** @param resetsAt null: never */
export const keyCapTooLow = ({ cost, isAtLeast, left, resetsAt }: CapTooLow) =>
  new Failure(
    'key_cap_exhausted',
    `This request needs ${isAtLeast ? 'at least ' : ''}${plural(cost, 'credit')}; the cap of this team key has ${left} left and ${resetsAt === null ? 'does not renew' : `renews at ${isoTime(resetsAt)}`}.`,
    {
      numbers: {
        ...costOf(cost, isAtLeast),
        cap_left: left,
        ...(resetsAt !== null && { cap_resets_at: isoTime(resetsAt) }),
      },
    },
  )
interface CapTooLow {
  readonly cost: number
  readonly isAtLeast: boolean
  readonly left: number
  readonly resetsAt: number | null
}
export const rateLimited = (limit: UsedUp, seconds: number) =>
  new Failure('rate_limited', `${usedUp(limit)}; try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    numbers: limit,
  })
export function tooManyReplays(most: number, seconds: number): Failure {
  const limit: UsedUp = { counted: 'replays', limit: most }
  return new Failure('rate_limited', `${usedUp(limit)}; use a new one, or try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    numbers: limit,
  })
}
/** @param counted what there was too much of */
export const tooManyAttempts = (counted: UsedUp['counted'], seconds: number) =>
  new Failure('too_many_attempts', `${usedUp({ counted })}; try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    numbers: { counted },
  })
export const idempotencyConflict = () =>
  new Failure(
    'idempotency_conflict',
    'This Idempotency-Key was used for a different request; choose a new one.',
  )

// Load

export const tooManyLogins = () =>
  overloaded('Too many simultaneous logins to this account; try again in a few seconds.', 5)
export const tooManyPasswords = () =>
  overloaded('Too many passwords are being checked at the moment; try again in a few seconds.', 5)
export const tooManyLargeBodies = () =>
  overloaded('Too many large requests are being received; try again shortly.')
export const tooManyLargeBodiesOfAccount = (most: number) =>
  overloaded(
    `This account is sending ${most} large requests, which is the most at a time; send the next after one is answered.`,
  )
export const tooManyUnreadReplies = () =>
  overloaded('Too many large replies are waiting to be read; try again shortly.', 5)
export const tooManyUnreadRepliesOfAccount = () =>
  overloaded('Replies to this account are waiting to be read; read them, then send the next.')
export const tooManyTasks = () => overloaded('Too many heavy computations are waiting; try again shortly.')
export const tooManyTasksOfAccount = (most: number) =>
  overloaded(
    `This account has ${most} large or heavy computations in progress, which is the most at a time; send the next after one ends.`,
  )
export const waitedTooLong = (seconds: number) =>
  overloaded(`No thread became free for the computation within ${seconds} s; try again shortly.`)
export const stopped = (limitSeconds: number, cause?: unknown) =>
  overloaded(`The computation was stopped after ${limitSeconds} s; send a smaller one.`, 1, cause)
export const tooMuchMemory = (cause: unknown) =>
  overloaded('The computation needed more memory than it may use; send a smaller one.', 1, cause)
/** The failure of a computation that exceeds its estimate, which is a bug of the estimate. */
export const overEstimate = (cause: unknown) =>
  new Failure(
    'overloaded',
    'The computation took more work than estimated and was stopped; it is logged under the request id.',
    { retryAfterSeconds: 1, cause, isBug: true },
  )
export const interrupted = (cause: unknown) =>
  overloaded('The computation was interrupted; try again.', 1, cause)

// The service

/** @param problem a sentence that says what is wrong */
export const notReady = (problem: string, cause?: unknown) =>
  new Failure('unavailable', `${problem} Send requests to another node for now.`, {
    retryAfterSeconds: 5,
    cause,
  })
export const databaseAway = (cause?: unknown) =>
  new Failure('unavailable', 'The database is not reachable; nothing was charged. Try again shortly.', {
    retryAfterSeconds: 1,
    cause,
  })
/** @param isDiskFull else the tables of what strangers have begun are full */
export const tooFullForUnpaid = ({ isDiskFull }: { readonly isDiskFull: boolean }) =>
  new Failure(
    'unavailable',
    `${isDiskFull ? 'The disk of this service is nearly full' : 'This service holds too many unconfirmed registrations, guests and codes'}, so it refuses requests without a key; calls with a key go on. Try again later.`,
    { retryAfterSeconds: 60 },
  )
/** The failure that stands for a bug. */
export const internal = (cause: unknown) =>
  new Failure('internal', 'Something went wrong here; it is logged under the request id.', { cause })
