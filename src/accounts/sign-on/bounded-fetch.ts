/** Requests to the provider: bounded in time and in bytes, without redirections. */
import { SIGN_ON_REPLY_BYTES } from '../../base/limits/operation.ts'
import { SECOND_MS } from '../../base/time.ts'

/** The time limit of a request with its reply. */
export const PROVIDER_MS = 5 * SECOND_MS

/** The provider cannot be reached, does not answer in time, fails, or answers with too many bytes. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

/** Whether an error of the library was caused by a provider that is away. */
export function isAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderAway || cause.name === 'TimeoutError') return true
  return false
}

export async function boundedFetch(url: string, options: object): Promise<Response> {
  const bounds = { redirect: 'manual', signal: AbortSignal.timeout(PROVIDER_MS) } as const
  try {
    const response = await fetch(url, { ...options, ...bounds })
    const body = await bytesOf(response, url)
    if (response.status >= 500) throw new ProviderAway(`${url} answered with status ${response.status}`)
    const { headers, status } = response
    return new Response(body.length === 0 ? null : body, { status, headers })
  } catch (error) {
    if (error instanceof ProviderAway) throw error
    throw new ProviderAway(`${url} did not answer`, { cause: error })
  }
}

async function bytesOf({ body }: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    // Leaving the loop cancels the rest.
    if (length > SIGN_ON_REPLY_BYTES)
      throw new ProviderAway(`${url} answered with more than ${SIGN_ON_REPLY_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
