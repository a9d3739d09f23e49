/** The standing of a key after a reply, read from the reply's headers. */

export interface Standing {
  readonly path: string
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

export function standing(path: string, headers: Headers): Standing {
  return {
    path,
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
  }
}

const amount = (value: string | null): number | null => (value === null ? null : Number(value))
