/** The address and the key of a client, from its options or the environment. */
import type { ClientOptions } from './options.ts'

export interface Settings {
  /** The address without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/** Throws TypeError if there is no address, or one that is not a plain http or https URL, or a key that no header can hold. */
export function settingsOf({ apiKey, baseUrl }: ClientOptions): Settings {
  const address = baseUrl ?? environment('QUANTD_URL')
  if (address === undefined)
    throw new TypeError('The address of the service is missing: pass baseUrl, or set QUANTD_URL.')
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address))
    throw new TypeError(
      `The address of the service is ${JSON.stringify(address)}; it must begin with http:// or https://, as in http://127.0.0.1:8080.`,
    )
  const { hash, password, search, username } = new URL(address)
  if (`${username}${password}${search}${hash}` !== '')
    throw new TypeError('The address of the service must have no user name, query or fragment.')
  const key = (apiKey ?? environment('QUANTD_API_KEY'))?.trim()
  // Checked here, because the error message of a Headers object would contain the key.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The API key is empty, or has characters that no key contains.')
  return { baseUrl: address.replace(/\/+$/, ''), apiKey: key }
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
