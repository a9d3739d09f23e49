/** What applies to every endpoint, said once: for the OpenAPI document and the reference page alike. */
export interface Section {
  readonly id: string
  readonly title: string
  /** Plain text; `backticks` mark code. */
  readonly paragraphs: readonly string[]
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

export const guide: readonly Section[] = [
  {
    id: 'requests',
    title: 'Requests and replies',
    paragraphs: [
      'Bodies are JSON objects in UTF-8 with `Content-Type: application/json`. Nothing is coerced: `"100"` is not a number, `1.5` is not an integer, `null` is not “absent”. Numbers must be finite. Computations refuse unknown fields; account endpoints ignore them. Every endpoint refuses unknown query parameters.',
      'A success is `200` with `{"success": true, "data": {…}}`. A failure is `{"success": false, "message": "…", "error": {"code": "…", "request_id": "…", "details": […]}}`: `message` says what is wrong and what to do, `code` is for programs, and each of `details` points at a field by a JSON pointer. A number in a reply is always finite.',
      'One request may hold up to 16 MiB, 1,000,000 numbers and 10,000 columns. A computation that takes longer than 30 seconds is stopped and not charged.',
    ],
  },
  {
    id: 'authentication',
    title: 'Authentication',
    paragraphs: [
      'Send the key in the header `X-API-Key`. A guest key comes from `POST /guest/create`: no e-mail address, 24 hours, 50 credits. A permanent key comes from `POST /user/register` followed by `POST /user/verify-otp`; `POST /user/login` returns it again whenever it is lost.',
      'On every request that needs a key, it is checked before the body is read, in this order: its format, that it exists, that it is active, that the account is verified, and that a guest key has not expired. The first three answer 401 “Invalid or expired API key”, the last 401 “Guest API key has expired”.',
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    paragraphs: [
      'Requests to computations count against the key’s windows, whatever their outcome; a refused request counts nothing. Windows are fixed and start with the first request in them. Account endpoints have a limit of their own, 120 a minute, and use up no window.',
      'Every reply to a known key tells what is left: `RateLimit`, `RateLimit-Policy`, `X-RateLimit-Limit`, `-Remaining`, `-Reset`. Over the limit the reply is 429 with `Retry-After`.',
    ],
    table: {
      head: ['Account type', 'Computations per key'],
      rows: [
        ['Guest', '60 an hour and 50 a day'],
        ['Free', '500 an hour'],
        ['Basic', '1,000 an hour'],
        ['Standard', '2,000 an hour'],
        ['Pro', '5,000 an hour'],
      ],
    },
  },
  {
    id: 'credits',
    title: 'Credits',
    paragraphs: [
      'A computation costs 1 credit unless the operator has set another cost, and only a success is charged. A guest key starts with 50 credits, a verified account with 350. `X-Credits-Remaining` and `X-Credits-Cost` tell the balance and the charge; a balance below the cost answers 402.',
    ],
  },
  {
    id: 'repeating',
    title: 'Repeating a request safely',
    paragraphs: [
      'Give a computation an `Idempotency-Key` of your own making, 1 to 255 visible characters. If the reply is lost, send the same request with the same key: a paid request is answered again for 24 hours with `Idempotent-Replayed: true` and is not charged again. The same key with another path or body is refused with 409. Without the header, a reply lost on the network stays charged.',
    ],
  },
]
