/**
 * Reads on SQLite in a thread, so that a read of a large audit delays no request. The steps of a read run here, its statements in
 * the thread: each read has a read-only connection and one snapshot.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { NotCommitted, queued, type Row, type Run, type Statement } from '../sql.ts'
import type { Answered, Asked } from './reading-worker.ts'

/** Reads at a time. Their statements run one after another, so that reads take one core from the calls. */
const READS = 4
const WORKER = new URL(`./reading-worker${extname(import.meta.filename)}`, import.meta.url)

/** The thread starts with the first read. */
export function readingThread(file: string): { readonly run: Run; close(): Promise<void> } {
  let worker: Worker | null = null
  let isClosed = false
  /** The statements that wait for their rows, by place. A read has a place, and one statement at a time. */
  const waiting = new Map<number, PromiseWithResolvers<Row[]>>()
  const failAll = (cause: unknown) => {
    for (const { reject } of waiting.values())
      reject(new NotCommitted('The thread of reads has ended', { cause }))
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(WORKER, { workerData: { file } })
    started.unref()
    started.on('message', ({ place, ...answer }: Answered) => {
      const { reject, resolve } = waiting.get(place)!
      waiting.delete(place)
      if ('rows' in answer) resolve(answer.rows)
      else reject(new NotCommitted('SQLite refused a read', { cause: answer.error }))
    })
    started.on('error', failAll)
    started.on('exit', () => {
      if (worker === started) worker = null
      failAll(null)
    })
    return started
  }
  const ask = (asked: Asked): void => worker?.postMessage(asked)
  const execute = (place: number, { parameters, sql }: Statement): Promise<Row[]> => {
    if (isClosed) throw new NotCommitted('The store is closed')
    worker ??= start()
    const answer = Promise.withResolvers<Row[]>()
    waiting.set(place, answer)
    ask({ place, statement: { sql, parameters } })
    return answer.promise
  }
  const free = Array.from({ length: READS }, (_, place) => place)
  const run: Run = async (transaction) => {
    const place = free.pop()!
    try {
      const steps = transaction()
      let step = steps.next()
      while (!step.done) step = steps.next(await execute(place, step.value))
      return step.value
    } finally {
      ask({ place, statement: null })
      free.push(place)
    }
  }
  return {
    run: queued(run, READS, () => false),
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}
