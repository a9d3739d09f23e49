/** Arrow streams for the fuzzer: written by the reference implementation, then mutated byte by byte. */
import { Dictionary, Int8, Table, tableToIPC, Utf8, type Vector, vectorFromArray } from 'apache-arrow'
import type { Dice } from './dice.ts'
import type { Endpoint } from './document.ts'

/** Streams that the endpoint accepts; whole ones, and one with two record batches. */
export function seedStreams({ example, isColumns }: Endpoint): Buffer[] {
  const fields = (isColumns ? (example as { columns: object }).columns : example) as Record<string, unknown>
  const rows = Math.max(1, ...Object.values(fields).map((value) => (Array.isArray(value) ? value.length : 1)))
  const columns = Object.entries(fields).flatMap(([name, value]): [string, Vector][] => {
    const items = Array.isArray(value) ? value : Array(rows).fill(value)
    if (!isColumns && !Array.isArray(value)) return []
    if (!Array.isArray(items[0])) return [[name, vectorOf(items)]]
    return items[0].map((_, column: number) => [
      `x${column}`,
      vectorOf(items.map((row: unknown[]) => row[column])),
    ])
  })
  const table = new Table(Object.fromEntries(columns))
  return [table, table.concat(table)].map((one) => Buffer.from(tableToIPC(one, 'stream')))
}

const vectorOf = (items: readonly unknown[]): Vector =>
  typeof items[0] === 'string'
    ? vectorFromArray(items, new Dictionary(new Utf8(), new Int8()))
    : vectorFromArray(items as number[])

const MOST_MUTATIONS = 4
const INTERESTING = [0, 1, -1, 7, 8, 127, 255, 1_000_000, 2 ** 31 - 1, -(2 ** 31)]

/** A stream with a few of its bytes changed, cut, repeated or replaced by those of another. */
export function mutatedStream(seeds: readonly Buffer[], dice: Dice): Buffer {
  let bytes: Buffer = Buffer.from(dice.pick(seeds))
  const count = dice.integer(1, MOST_MUTATIONS)
  for (let index = 0; index < count && bytes.length > 8; index++)
    bytes = dice.pick(MUTATIONS)(bytes, dice, seeds)
  return bytes
}

type Mutation = (bytes: Buffer, dice: Dice, seeds: readonly Buffer[]) => Buffer

const at = (bytes: Buffer, dice: Dice, room = 1): number => dice.integer(0, Math.max(0, bytes.length - room))

const MUTATIONS: readonly Mutation[] = [
  (bytes, dice) => {
    const place = at(bytes, dice)
    bytes.writeUInt8((bytes[place] ?? 0) ^ (1 << dice.integer(0, 7)), Math.min(place, bytes.length - 1))
    return bytes
  },
  (bytes, dice) => {
    bytes.writeUInt8(dice.integer(0, 255), Math.min(at(bytes, dice), bytes.length - 1))
    return bytes
  },
  (bytes, dice) => {
    bytes.writeInt32LE(dice.pick(INTERESTING), Math.floor(at(bytes, dice, 8) / 4) * 4)
    return bytes
  },
  (bytes, dice) => {
    const value = dice.pick([0n, 1n, -1n, 2n ** 62n, -(2n ** 63n), 2n ** 32n, BigInt(bytes.length)])
    bytes.writeBigInt64LE(value, Math.floor(at(bytes, dice, 16) / 8) * 8)
    return bytes
  },
  (bytes, dice) => bytes.subarray(0, at(bytes, dice)),
  (bytes, dice) => {
    const from = at(bytes, dice)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(at(bytes, dice))])
  },
  (bytes, dice, seeds) => {
    const other = dice.pick(seeds)
    return Buffer.concat([bytes.subarray(0, at(bytes, dice)), other.subarray(at(other, dice))])
  },
]
