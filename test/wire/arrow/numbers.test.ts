/** Numbers of every Arrow type are read, wherever their bytes lie. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as arrow from 'apache-arrow'
import { Table, tableToIPC, type Vector, vectorFromArray } from 'apache-arrow'
import { numbersOf } from '../../../src/wire/arrow/column-values.ts'
import { readStream } from '../../../src/wire/arrow/read-stream.ts'

const small = [0, 1, 2, 100, 127]
const signed = [...small, -1, -128]

test('numbers of every type are read at every offset of their buffer', () => {
  const columns: Record<string, Vector> = {
    float64: vectorFromArray([1 / 3, -0, 5e-324, 1e308], new arrow.Float64()),
    float32: vectorFromArray([0.5, -0, 2 ** -149, 3e38].map(Math.fround), new arrow.Float32()),
    int8: vectorFromArray(signed, new arrow.Int8()),
    int16: vectorFromArray([...signed, -32_768], new arrow.Int16()),
    int32: vectorFromArray([...signed, -(2 ** 31)], new arrow.Int32()),
    int64: vectorFromArray([...signed.map(BigInt), -(2n ** 53n)], new arrow.Int64()),
    uint8: vectorFromArray([...small, 255], new arrow.Uint8()),
    uint16: vectorFromArray([...small, 65_535], new arrow.Uint16()),
    uint32: vectorFromArray([...small, 2 ** 32 - 1], new arrow.Uint32()),
    uint64: vectorFromArray([...small.map(BigInt), 2n ** 53n], new arrow.Uint64()),
  }
  for (const [type, column] of Object.entries(columns)) {
    const expected = [...column].map(Number)
    const stream = tableToIPC(new Table({ column }), 'stream')
    for (let offset = 0; offset < 9; offset++) {
      const buffer = new Uint8Array(offset + stream.length)
      buffer.set(stream, offset)
      const read = readStream(buffer.subarray(offset))
      assert.deepEqual([...numbersOf(read, 0, new Float64Array(read.rows))], expected, `${type} at ${offset}`)
    }
  }
})
