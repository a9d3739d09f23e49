/** The promise that every method returns: it resolves to the data; `withReply` gives the whole reply. */
import type { Reply } from './exchange.ts'
import { type Standing, standing } from './standing.ts'

export interface FullReply<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  /** The body as it was received. */
  readonly text: string
  /** Credits and windows of the key after this call. */
  readonly standing: Standing
}

export interface Call<Data> extends Promise<Data> {
  /** The data with status, headers and body of the reply. */
  withReply(): Promise<FullReply<Data>>
}

export function callOf<Data>(path: string, reply: Promise<Reply>): Call<Data> {
  const data = reply.then((one) => one.data as Data)
  return Object.assign(data, {
    async withReply(): Promise<FullReply<Data>> {
      // The caller handles the rejection of this promise; that of `data` would otherwise be reported as unhandled.
      data.catch(() => undefined)
      const { headers, status, text } = await reply
      return { data: await data, status, headers, text, standing: standing(path, headers) }
    },
  })
}
