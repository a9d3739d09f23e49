/** The rules that apply to every endpoint, and the message of each failure code, for the OpenAPI document and the reference page. */
import * as accountErrors from '../base/errors/accounts.ts'
import * as operatorErrors from '../base/errors/operator.ts'
import * as requestErrors from '../base/errors/requests.ts'
import type { Failure, FailureCode } from '../base/failure.ts'
import {
  INLINE,
  LARGE_BODIES_PER_ACCOUNT,
  SMALL_BODY_BYTES,
  TASKS_PER_ACCOUNT,
} from '../base/limits/callers.ts'
import { counted, grouped } from '../base/text.ts'
import type { Offer } from './documented-endpoints.ts'
import { replyHeaders } from './headers.ts'

export interface Section {
  readonly id: string
  readonly title: string
  /** Plain text; `backticks` mark code. */
  readonly paragraphs: readonly string[]
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

export const guide = ({ costs, initialCredits, tiers, work }: Offer): readonly Section[] => [
  {
    id: 'requests',
    title: 'Requests and replies',
    paragraphs: [
      'Send JSON objects in UTF-8 with `Content-Type: application/json`. Values are never coerced: `"100"` is not a number, `1.5` is not an integer, and `null` is not the same as an absent field. Numbers must be finite. Computations refuse unknown fields; account endpoints ignore them. Unknown query parameters are refused.',
      'A success has status `200` and the body `{"success": true, "data": {…}}`. A failure has the body `{"success": false, "message": "…", "error": {"code": "…", "request_id": "…", "details": […]}}`. `message` states the problem and the remedy, `code` is for programs, and each item of `details` names a field by a JSON pointer. The numbers of a message are fields of `error` too, for programs: for example `needed` and `balance`, or `limit` and `window`. Numbers in a reply are always finite.',
      'A request may contain up to 16 MiB (unless the operator has set another limit), 1,000,000 numbers and 10,000 columns. To compute many rows at once, send them as arrays to the path of the computation with `/columns` behind it, if it has one: each row gets the result of a call of its own. A computation that takes longer than 30 seconds is stopped and not charged.',
    ],
  },
  {
    id: 'arrow',
    title: 'Columns and Arrow',
    paragraphs: [
      'A computation whose fields are all scalars also has a path with `/columns` behind it, which takes many rows in one request. Each field is a scalar for all rows, or an array with one item per row. Each row gets the result of a call of its own. Rows that fail are null in the results and listed in `errors`; they cost nothing. An item without a value (null; in Arrow NaN too) fails its row. If every row fails, the reply is 422. The number of rows is limited by the fields: rows times fields, of the request as of the result, may be at most 1,000,000.',
      'These paths, and the computations of vectors and matrices, also take an Arrow IPC stream with `Content-Type: application/vnd.apache.arrow.stream`, and answer with one if the `Accept` header names that type. A column is the field of its name; for a matrix, the whole table is the matrix. Scalars are columns, or items of a JSON object in the metadata of the schema under `quantd`. Columns may be float64, float32, integers, utf8 strings or dictionaries of them, and booleans where labels are expected. Nulls are refused, as are compressed streams. In the reply, the fields of the result that are not columns are a JSON object in the same metadata. Failures are always JSON.',
    ],
  },
  {
    id: 'authentication',
    title: 'Authentication',
    paragraphs: [
      `Send your API key in the \`X-API-Key\` header, or as \`Authorization: Bearer KEY\`. \`POST /guest/create\` returns a guest key, which needs no e-mail address, is valid for 24 hours and holds ${counted(initialCredits.guest, 'credit')}. \`POST /user/register\` followed by \`POST /user/verify-otp\` returns a permanent key; if you lose it, \`POST /user/login\` returns it again.`,
      'The key is checked before the body is read, in this order: its format is valid, it exists, it is active, its account is verified, and a guest key has not expired. If one of the first three checks fails, the reply is 401 “Invalid or expired API key”; if the last one fails, it is 401 “Guest API key has expired”.',
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    paragraphs: [
      'Rate limits use fixed windows that start with your first request. Every request to a computation counts, whether it succeeds or fails; a batch or a request of columns counts as one; a request that is refused because of a limit does not count. Account endpoints have a separate limit of 120 requests a minute, after 60 of which team keys are refused.',
      'Every reply to a known key reports the remaining requests in the headers `RateLimit`, `RateLimit-Policy`, `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. If a limit is exceeded, the reply is 429 with `Retry-After`.',
      'The window `work` counts the processor time that your computations use in an hour, also those that fail, are stopped or are repeated. Waiting for a thread does not count. `GET /user/credits` states its use.',
      `Large or heavy computations (bodies over ${INLINE.bytes / 1024} KiB, or estimated at more than ${INLINE.micros / 1000} ms) run in threads, which accounts share. Of an account, ${TASKS_PER_ACCOUNT} of them may be in progress at a time, and ${LARGE_BODIES_PER_ACCOUNT} with bodies over ${SMALL_BODY_BYTES / 1024} KiB; a further one gets 503 \`overloaded\`, which is not charged but counts in the windows.`,
    ],
    table: {
      head: ['Account type', 'Computations per key', 'Processor time'],
      rows: Object.entries(tiers).map(([tier, { day, hour }]) => [
        `${tier[0].toUpperCase()}${tier.slice(1)}`,
        `${grouped(hour)} an hour${day === null ? '' : ` and ${grouped(day)} a day`}`,
        `${grouped(work[tier])} s an hour`,
      ]),
    },
  },
  {
    id: 'credits',
    title: 'Credits',
    paragraphs: [
      `A successful computation costs 1 credit for each started second of its estimated processor time, so nearly all cost 1; a failed one costs nothing. Each row of columns and each call of a batch is estimated by itself. A guest key starts with ${counted(initialCredits.guest, 'credit')}, a verified account with ${grouped(initialCredits.registered)}. The headers \`X-Credits-Remaining\` and \`X-Credits-Cost\` report the balance and the charge. If the balance is below the cost, the reply is 402; of a batch it must cover the cost of all calls, of columns that of all rows. Credits of your requests in progress are not available to further ones until these are answered.`,
    ],
    ...(Object.keys(costs).length > 0 && {
      table: {
        head: ['Operation', 'Credits for each second'],
        rows: Object.entries(costs).map(([path, cost]) => [`\`${path}\``, grouped(cost)]),
      },
    }),
  },
  {
    id: 'repeating',
    title: 'Repeating requests',
    paragraphs: [
      'To retry a computation safely, send an `Idempotency-Key` header of 1 to 255 visible ASCII characters that you choose. If the reply is lost, send the same request with the same key: for 24 hours after a success the result is returned again with `Idempotent-Replayed: true` and is not charged again, up to 10 times; further repetitions are refused with 429. The same key with another path or body is refused with 409. Without this header, a call whose reply is lost on the network stays charged.',
      'Repeat after a lost reply, 429 and 503: wait for the seconds in `Retry-After` (without it: 0.2 s, then twice as long each time). Do not repeat 400, 401, 402, 403, 404, 413, 415 and 422: the same request gets the same reply. Both clients do this.',
    ],
  },
]

const errors = { ...requestErrors, ...accountErrors, ...operatorErrors }

const PRICE = '/quantlib/pricing/bs/price'

/** An example of each failure. */
const examples: Readonly<Record<FailureCode, Failure>> = {
  request_timeout: errors.requestTimeout(),
  headers_too_large: errors.headersTooLarge(),
  not_implemented: errors.unknownTransferCoding(),
  route_not_found: errors.noSuchPath(`${PRICE}s`, PRICE),
  method_not_allowed: errors.noSuchMethod(PRICE, ['POST'], 'GET'),
  api_key_missing: errors.keyMissing(null),
  api_key_invalid: errors.keyInvalid(),
  account_unverified: errors.accountUnverified(),
  guest_key_expired: errors.guestKeyExpired(),
  guest_forbidden: errors.guestForbidden(),
  key_forbidden: errors.keyForbidden(),
  closed: errors.registrationClosed(),
  body_too_large: errors.bodyTooLarge(16_777_216),
  unsupported_media_type: errors.notJson({}),
  rate_limited: errors.rateLimited({ counted: 'requests', limit: 60, window: 'hour' }, 1_800),
  credits_exhausted: errors.tooFewCredits({ cost: 1, balance: 0, isGuest: true }),
  key_cap_exhausted: errors.keyCapTooLow({ cost: 1, isAtLeast: false, left: 0, resetsAt: null }),
  invalid_json: errors.invalidJson('}', 3, 1),
  invalid_input: errors.invalidInput([{ path: '/volatility', message: 'must be a number' }]),
  idempotency_conflict: errors.idempotencyConflict(),
  token_invalid: errors.tokenInvalid(),
  sign_on_failed: errors.signOnRefused('id.example.org'),
  role_forbidden: errors.roleForbidden('viewer', 'admin'),
  second_person_needed: errors.secondPersonNeeded(12, '2026-01-02T12:00:00.000Z'),
  not_found: errors.noSuchTeamKey(),
  invalid_credentials: errors.wrongPassword(),
  otp_invalid: errors.wrongMailedCode(),
  mfa_required: errors.secondFactorNeeded(),
  mfa_invalid: errors.wrongSecondFactor(),
  key_suspended: errors.keySuspended(),
  conflict: errors.secondFactorAlreadyOn(),
  too_many_attempts: errors.tooManyWrongAttempts(900),
  overloaded: errors.tooManyTasks(),
  unavailable: errors.databaseAway(),
  internal: errors.internal(null),
}

export const failureMessages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(examples).map(([code, { message }]) => [code, message]),
)

/** An example of the whole reply. */
export function failureReply(code: string) {
  const { details, message, numbers } = examples[code as FailureCode]
  const error = { code, request_id: replyHeaders['X-Request-Id'].example }
  return { success: false, message, error: { ...error, ...(details.length > 0 && { details }), ...numbers } }
}
