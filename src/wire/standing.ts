/** The standing of a key after a reply, read from the reply's headers by the TypeScript client and by the console. */

/** A Headers object, or another source of headers by name. */
export interface HeaderSource {
  get(name: string): string | null
}

export interface ReplyStanding {
  readonly requestId: string | null
  /** null: the reply does not contain it. */
  readonly creditsRemaining: number | null
  readonly creditsCost: number | null
  /** Whether the result of an earlier request was returned again without a charge. */
  readonly replayed: boolean
  readonly windows: readonly {
    readonly name: string
    readonly remaining: number
    /** Seconds until the window ends. */
    readonly resetSeconds: number
  }[]
}

export const standingIn = (headers: HeaderSource): ReplyStanding => ({
  requestId: headers.get('x-request-id'),
  creditsRemaining: amount(headers.get('x-credits-remaining')),
  creditsCost: amount(headers.get('x-credits-cost')),
  replayed: headers.get('idempotent-replayed') === 'true',
  windows: [...(headers.get('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)].map(
    ([, name, remaining, reset]) => ({
      name: name!,
      remaining: Number(remaining),
      resetSeconds: Number(reset),
    }),
  ),
})

/** The limit of each window by its name. */
export const limitsIn = (headers: HeaderSource): Map<string, number> =>
  new Map(
    [...(headers.get('ratelimit-policy') ?? '').matchAll(/"([^"]+)";q=(\d+)/g)].map(([, name, limit]) => [
      name!,
      Number(limit),
    ]),
  )

/** Retry-After in seconds, from either of its forms: seconds or a date. */
export function retryAfterIn(headers: HeaderSource): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

const amount = (value: string | null): number | null => (value === null ? null : Number(value))
