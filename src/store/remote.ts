/** A Store in another process: the one connection that writes to SQLite, asked by the processes that serve. */
import { NotCommitted, OutcomeUnknown, type Store } from './store.ts'
import { verbs } from './verbs/index.ts'

/** A way to exchange messages with the other process. */
export interface Channel {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onEnd(listener: () => void): void
}

interface Question {
  readonly type: 'store question'
  readonly id: number
  readonly verb: string
  readonly args: readonly unknown[]
}

interface Reply {
  readonly type: 'store reply'
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly name: string; readonly message: string }
}

type VerbName = Exclude<keyof Store, 'answersAtOnce' | 'close'>

const names = [...Object.keys(verbs), 'lookup', 'commit', 'ping'] as VerbName[]

/** The asking side. When the other process ends, what was asked has an unknown outcome. */
export function remoteStore(channel: Channel): Store {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let nextId = 1
  channel.onMessage((message) => {
    const reply = message as Reply
    if (reply.type !== 'store reply') return
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.error === undefined) asked?.resolve(reply.result)
    else asked?.reject(errorFrom(reply.error))
  })
  channel.onEnd(() => {
    for (const { reject } of waiting.values())
      reject(new OutcomeUnknown('The process that holds the store has ended'))
    waiting.clear()
  })
  const ask =
    (verb: VerbName) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        channel.send({ type: 'store question', id, verb, args } satisfies Question)
      })
  return {
    ...(Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as Pick<Store, VerbName>),
    answersAtOnce: false,
    close: async () => undefined,
  }
}

/** The answering side. */
export function answerFor(store: Store, channel: Channel): void {
  channel.onMessage(async (message) => {
    const { args, id, type, verb } = message as Question
    if (type !== 'store question' || !names.includes(verb as VerbName)) return
    try {
      const result = await (store[verb as VerbName] as (...given: unknown[]) => Promise<unknown>)(...args)
      channel.send({ type: 'store reply', id, result } satisfies Reply)
    } catch (error) {
      const { name, message: text } = error as Error
      channel.send({ type: 'store reply', id, error: { name, message: text } } satisfies Reply)
    }
  })
}

function errorFrom({ message, name }: { name: string; message: string }): Error {
  if (name === 'NotCommitted') return new NotCommitted(message)
  if (name === 'OutcomeUnknown') return new OutcomeUnknown(message)
  return new Error(message)
}
