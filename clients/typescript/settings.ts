/** The address and the key of a client, from its options or the environment. */
import type { ClientOptions } from './options.ts'

export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/** Throws TypeError if there is no address, or one that is not an http or https URL. */
export function settingsOf({ apiKey, baseUrl }: ClientOptions): Settings {
  const address = baseUrl ?? environment('QUANTD_URL')
  if (address === undefined)
    throw new TypeError('The address of the service is missing: pass baseUrl, or set QUANTD_URL.')
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address))
    throw new TypeError(
      `The address of the service is ${JSON.stringify(address)}; it must begin with http:// or https://, as in http://127.0.0.1:8080.`,
    )
  return { baseUrl: address.replace(/\/+$/, ''), apiKey: apiKey ?? environment('QUANTD_API_KEY') }
}

/** Browsers and workers have no environment; Deno may refuse to read it. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }
  try {
    return process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}
