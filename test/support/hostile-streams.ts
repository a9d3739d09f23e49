/** Arrow streams that claim more than their bytes hold: the same bytes several times, rows without columns, empty batches. */
import { HEADER, METADATA_KEY, METADATA_V5, PRECISION, TYPE } from '../../src/wire/arrow/format.ts'
import { byte, int, long, short, type Value } from '../../src/wire/arrow/write-stream.ts'
import { aliased } from './aliased-flatbuffer.ts'

export interface HostileColumn {
  readonly name: string
  readonly type: 'float64' | 'int8' | 'bool' | 'utf8' | 'dictionary'
}

const END = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])

export function message(type: number, header: Value, body: Uint8Array = new Uint8Array(0)): Buffer {
  const metadata = aliased({ fields: [short(METADATA_V5), byte(type), header, long(body.length)] })
  const prefix = Buffer.alloc(8, 255)
  prefix.writeUInt32LE(metadata.length, 4)
  return Buffer.concat([prefix, metadata, body])
}

export const stream = (...messages: Buffer[]): Buffer => Buffer.concat([...messages, END])

export const quantdEntry = (text: string): Value => ({ fields: [{ text: METADATA_KEY }, { text }] })

export const schema = (fields: readonly Value[], entries: readonly Value[] = []): Buffer =>
  message(HEADER.schema, { fields: [short(0), { items: fields }, { items: entries }] })

const DOUBLE: Value = { fields: [short(PRECISION.double)] }
const INT8: Value = { fields: [int(8), byte(1)] }
const PLAIN: Value = { fields: [] }

/** @param name the value may be shared by fields */
export function field({ type }: HostileColumn, name: Value): Value {
  const [number, details, dictionary] = {
    float64: [TYPE.float, DOUBLE, null],
    int8: [TYPE.int, INT8, null],
    bool: [TYPE.bool, PLAIN, null],
    utf8: [TYPE.utf8, PLAIN, null],
    dictionary: [TYPE.utf8, PLAIN, { fields: [long(0), INT8] }],
  }[type] as [number, Value, Value | null]
  return { fields: [name, byte(0), byte(number), details, dictionary, { items: [] }] }
}

export const fieldsOf = (columns: readonly HostileColumn[]): Value[] =>
  columns.map((column) => field(column, { text: column.name }))

type Pairs = readonly (readonly [number, number])[]

/** @param buffers start and length of each in the body */
export const batchHeader = (rows: number, columns: number, buffers: Pairs): Value => ({
  fields: [
    long(rows),
    { pairs: Array.from({ length: columns }, () => [rows, 0] as const) },
    { pairs: buffers },
  ],
})

export const recordBatch = (rows: number, columns: number, buffers: Pairs, body?: Uint8Array): Buffer =>
  message(HEADER.recordBatch, batchHeader(rows, columns, buffers), body)

/** A dictionary of so many strings, all of them one word. */
export function dictionary(words: number): Buffer {
  const word = 'put'
  const offsets = Int32Array.from({ length: words + 1 }, (_, index) => index * word.length)
  const body = Buffer.concat([Buffer.from(offsets.buffer), Buffer.from(word.repeat(words))])
  const buffers = [
    [0, 0],
    [0, offsets.byteLength],
    [offsets.byteLength, words * word.length],
  ] as const
  return message(HEADER.dictionaryBatch, { fields: [long(0), batchHeader(words, 1, buffers)] }, body)
}
