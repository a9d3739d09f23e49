/** The API key of a request; where it is missing, a hint that says what was sent instead. */
import { Failure, messages } from '../errors.ts'
import { header, type Incoming } from './incoming.ts'

/** Throws Failure `api_key_missing`. */
export function apiKeyOf(incoming: Incoming): string {
  const key = header(incoming, 'x-api-key')
  if (key !== undefined) return key
  const place = placeOf(incoming)
  const hint =
    place === null
      ? 'no key was sent; send it in the X-API-Key header'
      : `the key was sent in ${place}; send it in the X-API-Key header`
  throw new Failure('api_key_missing', messages.keyMissing(hint), { details: [{ path: '', message: hint }] })
}

/** Where a request holds something that is meant as its API key; null: nowhere. */
function placeOf(incoming: Incoming): string | null {
  const authorization = header(incoming, 'authorization')
  if (authorization !== undefined)
    return `the header "Authorization${/^bearer\b/i.test(authorization) ? ': Bearer' : ''}"`
  const name = Object.keys(incoming.request.headers).find(isNearMiss)
  if (name !== undefined) return `the header ${JSON.stringify(name)}`
  const parameter = [...incoming.query.keys()].find(isNearMiss)
  return parameter === undefined ? null : `the query parameter ${JSON.stringify(parameter)}`
}

/** `apikey`, `api_key`, `X-Api_Key` and the like. */
const isNearMiss = (name: string): boolean => /^x?apikey$/i.test(name.replace(/[-_.]/g, ''))
