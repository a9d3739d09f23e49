/** Batches of an Arrow stream cost no more memory than their bytes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { numbersOf } from '../../../src/wire/arrow/column-values.ts'
import { readStream } from '../../../src/wire/arrow/read-stream.ts'
import { fieldsOf, recordBatch, schema, stream } from '../../support/hostile-streams.ts'

const COLUMNS = 100
/** A column has no validity bits and a byte a row. */
const buffers = (rows: number) =>
  Array.from({ length: 2 * COLUMNS }, (_, index) => [rows * (index >> 1), rows * (index % 2)] as const)
const batch = (rows: number, value = 0) =>
  recordBatch(rows, COLUMNS, buffers(rows), Buffer.alloc(Math.ceil((rows * COLUMNS) / 8) * 8, value))

test('batches without rows hold no memory, and those between them are read', () => {
  const columns = Array.from({ length: COLUMNS }, (_, index) => ({
    name: `x${index}`,
    type: 'int8' as const,
  }))
  const empty = Array<Buffer>(200).fill(batch(0))
  const rows = [3, 5].map((value) => batch(2, value))
  const bytes = stream(schema(fieldsOf(columns)), ...empty, rows[0], ...empty, rows[1], ...empty)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  readStream(bytes)
  collect()
  const before = process.memoryUsage().heapUsed
  const read = readStream(bytes)
  collect()
  const held = process.memoryUsage().heapUsed - before
  assert.ok(held < bytes.length / 4, `${held} bytes are held for a stream of ${bytes.length}`)
  assert.deepEqual([...numbersOf(read, COLUMNS - 1, new Float64Array(read.rows))], [3, 3, 5, 5])
})
