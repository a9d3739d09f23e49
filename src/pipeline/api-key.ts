/** The caller of a request by its API key; where that is missing, a hint says what was sent instead. */
import { keyMissing } from '../errors.ts'
import type { Caller } from './caller.ts'
import { header, type Incoming, type Pipeline } from './incoming.ts'

export const callerOf = async ({ authenticate }: Pipeline, incoming: Incoming): Promise<Caller> =>
  incoming.caller ?? (await authenticate(apiKeyOf(incoming), incoming.ip))

/** Throws Failure `api_key_missing`. */
export function apiKeyOf(incoming: Incoming): string {
  const key = header(incoming, 'x-api-key')
  if (key !== undefined) return key
  const place = placeOf(incoming)
  const hint =
    place === null
      ? 'no key was sent; send it in the X-API-Key header'
      : `the key was sent in ${place}; send it in the X-API-Key header`
  throw keyMissing(hint)
}

/** Where a request holds something that is meant as its API key; null: nowhere. */
function placeOf(incoming: Incoming): string | null {
  const authorization = header(incoming, 'authorization')
  if (authorization !== undefined)
    return `the header "Authorization${/^bearer\b/i.test(authorization) ? ': Bearer' : ''}"`
  const name = Object.keys(incoming.headers).find(isNearMiss)
  if (name !== undefined) return `the header ${JSON.stringify(name)}`
  const parameter = [...incoming.query.keys()].find(isNearMiss)
  return parameter === undefined ? null : `the query parameter ${JSON.stringify(parameter)}`
}

/** `apikey`, `api_key`, `X-Api_Key` and the like. */
const isNearMiss = (name: string): boolean => /^x?apikey$/i.test(name.replace(/[-_.]/g, ''))
