/** The end of a session at the provider too. */
import type { RequestHeaders } from '../pipeline/incoming.ts'
import { originOf } from './cookie.ts'
import type { Provider } from './provider.ts'

/** Where the browser goes; null: the provider is away or has no such address. @param idToken null: it asks the person first */
export async function endAtProvider(
  provider: Provider,
  headers: RequestHeaders,
  idToken: string | null,
): Promise<string | null> {
  const origin = originOf(headers)
  return origin === null ? null : await provider.endUrl(idToken, `${origin}/`).catch(() => null)
}
