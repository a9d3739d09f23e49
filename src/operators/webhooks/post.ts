/** Posts one message to an endpoint. Only the status of the reply is read; redirections are not followed. */
import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { WEBHOOK_MS, WEBHOOK_REPLY_HEADER_BYTES } from '../../base/limits/operation.ts'
import { faultOf, isPublic } from './addresses.ts'

export interface PostOptions {
  readonly allowPrivate: boolean
  /** Only tests replace it. */
  readonly resolve?: typeof resolve
  readonly deadlineMs?: number
}

/** Resolves a name once per connection, to its allowed addresses only, so that no later answer of DNS can replace them. */
export const checkedLookup =
  ({ allowPrivate, resolve: find = resolve }: PostOptions, isPlain: boolean): LookupFunction =>
  (hostname, options, done) => {
    find(hostname, { all: true, family: options.family as 0 }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => (isPublic(address) ? !isPlain : allowPrivate))
      const [one] = allowed
      if (error !== null || one === undefined)
        return done(error ?? new Error('the address is not allowed'), '', 0)
      if (options.all) done(null, allowed)
      else done(null, one.address, one.family)
    })
  }

/** The HTTP status of the reply; null: none came within the deadline, or the address is not allowed. Never rejects. */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<number | null> {
  // The setting may have changed since the endpoint was created.
  if (faultOf(url, options) !== null) return Promise.resolve(null)
  const to = new URL(url)
  const isPlain = to.protocol === 'http:'
  const send = isPlain ? requestHttp : requestHttps
  return new Promise((done) => {
    const request = send(to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      maxHeaderSize: WEBHOOK_REPLY_HEADER_BYTES,
      lookup: checkedLookup(options, isPlain),
      signal: AbortSignal.timeout(options.deadlineMs ?? WEBHOOK_MS),
    })
    request.on('response', (response) => {
      done(response.statusCode ?? null)
      request.destroy()
    })
    request.on('error', () => done(null))
    request.on('close', () => done(null))
    request.end(body)
  })
}
