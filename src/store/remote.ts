/** A Store in another process: one process writes to SQLite, and the serving processes send it their requests. */
import { NotCommitted, OutcomeUnknown } from './outcomes.ts'
import type { Store } from './store.ts'
import { verbs } from './verbs/index.ts'

/** A way to exchange messages with the other process. */
export interface Channel {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onEnd(listener: () => void): void
}

interface StoreRequest {
  readonly type: 'store request'
  readonly id: number
  readonly verb: string
  readonly args: readonly unknown[]
}

interface StoreResponse {
  readonly type: 'store response'
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly name: string; readonly message: string }
}

type VerbName = Exclude<keyof Store, 'answersAtOnce' | 'buckets' | 'close'>

const names = [...Object.keys(verbs), 'lookup', 'commit', 'ping'] as VerbName[]

/** The client's side. If the other process ends, unanswered requests have an unknown outcome. */
export function remoteStore(channel: Channel): Store {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let nextId = 1
  channel.onMessage((message) => {
    const response = message as StoreResponse
    if (response.type !== 'store response') return
    const request = waiting.get(response.id)
    waiting.delete(response.id)
    if (response.error === undefined) request?.resolve(response.result)
    else request?.reject(errorFrom(response.error))
  })
  channel.onEnd(() => {
    for (const { reject } of waiting.values())
      reject(new OutcomeUnknown('The process that holds the store has ended'))
    waiting.clear()
  })
  const send =
    (verb: VerbName) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        channel.send({ type: 'store request', id, verb, args } satisfies StoreRequest)
      })
  return {
    ...(Object.fromEntries(names.map((name) => [name, send(name)])) as unknown as Pick<Store, VerbName>),
    answersAtOnce: false,
    buckets: 1,
    close: async () => undefined,
  }
}

/** The side of the process that holds the store. */
export function answerFor(store: Store, channel: Channel): void {
  channel.onMessage(async (message) => {
    const { args, id, type, verb } = message as StoreRequest
    if (type !== 'store request' || !names.includes(verb as VerbName)) return
    try {
      const result = await (store[verb as VerbName] as (...given: unknown[]) => Promise<unknown>)(...args)
      channel.send({ type: 'store response', id, result } satisfies StoreResponse)
    } catch (error) {
      const { name, message: text } = error as Error
      channel.send({ type: 'store response', id, error: { name, message: text } } satisfies StoreResponse)
    }
  })
}

function errorFrom({ message, name }: { name: string; message: string }): Error {
  if (name === 'NotCommitted') return new NotCommitted(message)
  if (name === 'OutcomeUnknown') return new OutcomeUnknown(message)
  return new Error(message)
}
