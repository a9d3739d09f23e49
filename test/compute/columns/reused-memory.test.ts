/** Columns in shared memory that held other requests: a reply is the same, byte for byte, as from fresh memory. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow'
import { Failure } from '../../../src/base/failure.ts'
import { hasColumns, scalarsOf } from '../../../src/compute/catalogue/columns.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import type { Operation } from '../../../src/compute/catalogue/operation.ts'
import type { Job } from '../../../src/compute/computation.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import type { JoinedResult } from '../../../src/compute/result.ts'
import { openPool } from '../../../src/compute/threads/pool.ts'
import { streamOf, vectorOf } from '../../support/arrow-streams.ts'
import { closedAfter, PATIENT } from '../../support/service.ts'

const ARROW_WIRE = { body: 'arrow', reply: 'arrow' } as const
const REMAINS = 0xa5
const all = compileComputations()({})

/** The example in many rows that differ, some of which fail. */
function columnsOf({ example, input }: Operation, rows: number): Record<string, unknown[]> {
  const given = example.input as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(scalarsOf(input)).map(([name, rules]) => [
      name,
      Array.from({ length: rows }, (_, row) => {
        const usual = given[name] ?? rules.default
        if (rules.enum !== undefined)
          return row % 2 === 0 ? usual : rules.enum[(row >> 1) % rules.enum.length]
        return row % 97 === 3 ? Number.NaN : Number(usual) * (1 + row / (10 * rows))
      }),
    ]),
  )
}

/** Rows of a small request, and of one that threads divide among themselves, which slow operations do not need. */
const ROWS = { few: 30, many: 6_000 }
const MOST_MICROS = 200_000
/** Estimated work of a row. */
function microsOf({ example, input, work }: Operation): number {
  const defaults = Object.entries(scalarsOf(input)).map(([name, rules]) => [name, rules.default])
  return work({ ...Object.fromEntries(defaults), ...(example.input as object) })
}

/** The bytes in a block that is full of remains. */
function amongRemains(bytes: Uint8Array, start = 0): Uint8Array {
  const block = new Uint8Array(new SharedArrayBuffer(4 * 1024 * 1024)).fill(REMAINS)
  block.set(bytes, start)
  return block.subarray(start, start + bytes.length)
}

const pool = closedAfter(openPool({ threads: 2, ...PATIENT }))

const bytesOf = ({ body }: Pick<JoinedResult, 'body'>): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.concat([body].flat())

/** The reply of one thread, in fresh memory. */
function alone(path: string, bytes: Uint8Array): Buffer {
  const job = all.get(path)!.read(bytes, ARROW_WIRE) as Job
  const result = job.run()
  assert(!(result instanceof Failure), String(result))
  return Buffer.concat(result.pieces as Uint8Array[])
}

async function inPool(path: string, bytes: Uint8Array): Promise<Buffer> {
  const caller = { accountId: 1, tier: 'free' } as const
  const task = { path, bytes, wire: ARROW_WIRE, caller, cost: 1_000_000 }
  const result = await pool.run(task)
  assert(!(result instanceof Failure), String(result))
  return bytesOf(result)
}

describe('columns in memory that held other requests', () => {
  for (const operation of operations.filter(hasColumns))
    for (const rows of [ROWS.few, ...(ROWS.many * microsOf(operation) < MOST_MICROS ? [ROWS.many] : [])])
      it(`${operation.path}, ${rows} rows: give the reply of fresh memory`, async () => {
        const columns = columnsOf(operation, rows)
        const vectors = Object.entries(columns).map(([name, values]) => [name, vectorOf(values)])
        const bytes = streamOf(Object.fromEntries(vectors))
        const path = `${operation.path}/columns`
        assert.deepEqual(await inPool(path, amongRemains(bytes)), alone(path, bytes))
      })

  const path = '/quantlib/pricing/bs/price/columns'
  const book = columnsOf(operations.find((one) => `${one.path}/columns` === path)!, 5_000)

  it('may be unaligned, in several batches or of narrower types, and are copied then', async () => {
    const { option_type: _, ...numbers } = book
    const narrow = Object.entries(numbers).map(([name, values]) => [
      name,
      vectorFromArray(name === 'strike' ? values.map(() => 100) : values),
    ])
    const table = new Table(Object.fromEntries(narrow))
    const bytes = tableToIPC(table.concat(table), 'stream')
    const expected = alone(path, bytes)
    for (const start of [0, 1, 4])
      assert.deepEqual(await inPool(path, amongRemains(bytes, start)), expected, `at ${start}`)
  })

  it('cannot read what other requests left there by lengths that are not those of the stream', () => {
    const numbers = Object.entries(book).filter(([, values]) => typeof values[0] === 'number')
    const bytes = streamOf(Object.fromEntries(numbers.map(([name, values]) => [name, vectorOf(values)])))
    const view = Buffer.from(bytes)
    const rows = Buffer.from(BigInt64Array.of(5_000n).buffer)
    const more = Buffer.from(BigInt64Array.of(50_000n).buffer)
    const [dataBytes, moreBytes] = [5_000n, 50_000n].map((count) =>
      Buffer.from(BigInt64Array.of(8n * count).buffer),
    )
    for (const [from, to] of [
      [rows, more],
      [dataBytes!, moreBytes!],
    ] as const)
      for (let at = view.indexOf(from); at !== -1; at = view.indexOf(from, at + 8)) to.copy(view, at)
    const job = all.get(path)!.read(amongRemains(view), ARROW_WIRE)
    assert(job instanceof Failure && job.code === 'invalid_input', 'the stream was taken')
  })
})
