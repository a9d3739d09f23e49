/** The media types of bodies: JSON, and streams of Arrow record batches where a computation takes them. */
import type { IncomingHttpHeaders } from 'node:http'
import { type AcceptedBodies, compressed, notJson, otherCharset } from '../../base/errors/requests.ts'

const JSON_TYPE = 'application/json'
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream'

export const isArrow = (headers: IncomingHttpHeaders): boolean =>
  nameOf(headers['content-type'] ?? '') === ARROW_STREAM

/** Whether the Accept header names Arrow; wildcards select JSON. */
export const acceptsArrow = ({ accept = '' }: IncomingHttpHeaders): boolean => accepts(accept, [ARROW_STREAM])

/** Whether the Accept header admits JSON; without one, every type is admitted. */
export const acceptsJson = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  accept.trim() === '' || accepts(accept, [JSON_TYPE, 'application/*', '*/*'])

const accepts = (accept: string, names: readonly string[]): boolean =>
  accept.split(',').some((range) => names.includes(nameOf(range)) && !/;\s*q\s*=\s*0(\.0*)?\s*$/i.test(range))

/** Throws Failure `unsupported_media_type`. */
export function refuseMediaType(headers: IncomingHttpHeaders, accepted: AcceptedBodies = {}): void {
  const type = headers['content-type'] ?? ''
  if (type === JSON_TYPE && headers['content-encoding'] === undefined) return
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw compressed(accepted)
  if (accepted.takesArrow && isArrow(headers)) return
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw otherCharset()
  if (nameOf(type) !== JSON_TYPE) throw notJson(accepted)
}

/** The media type without its parameters. */
const nameOf = (type: string): string => type.split(';', 1)[0].trim().toLowerCase()
