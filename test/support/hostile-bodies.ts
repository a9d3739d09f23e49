/** Bodies that would take long to read for their size. Each kind depends on the bytes that it may have and on a number. */
import { hasColumns } from '../../src/compute/catalogue/columns.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
import type { Encoding } from '../../src/compute/result.ts'
import * as hostile from './hostile-streams.ts'

export interface HostileBody {
  readonly path: string
  readonly encoding: Encoding
  readonly bytes: Buffer
  /** The number of booleans in the body, which are packed as bits; absent: none. */
  readonly booleans?: number
}

type Kind = (most: number, variant: number) => HostileBody

const BATCH = '/quantlib/batch'
const PRICE = '/quantlib/pricing/bs/price'
const COLUMNS = `${PRICE}/columns`
const FOREST = '/quantlib/ml/clustering/isolation-forest'
const CALIBRATE = '/quantlib/models/variance-gamma/calibrate'
const DISCRIMINATION = '/quantlib/ml/credit/discrimination'
const SCALARS = '{"strike":1,"risk_free_rate":0,"volatility":1,"time_to_maturity":1,"spot":1}'

const paths = [...operations.map(({ path }) => path), BATCH, ...operations.filter(hasColumns).map(columnsOf)]
const arrowPaths = operations.map((operation) =>
  hasColumns(operation) ? columnsOf(operation) : operation.path,
)
function columnsOf({ path }: { readonly path: string }): string {
  return `${path}/columns`
}

const pick = <Item>(items: readonly Item[], variant: number): Item => items[variant % items.length] as Item

/** Repeats an item, which may depend on its place, as often as the bytes allow. */
export function filled(most: number, open: string, item: (index: number) => string, close: string): string {
  const texts: string[] = []
  let length = open.length + close.length
  for (let index = 0; length <= most; index++) {
    const text = item(index)
    texts.push(text)
    length += Buffer.byteLength(text) + 1
  }
  return open + texts.slice(0, -1).join(',') + close
}

const inJson = (path: string, text: string): HostileBody => ({
  path,
  encoding: 'json',
  bytes: Buffer.from(text),
})
const inArrow = (path: string, ...messages: Buffer[]): HostileBody => ({
  path,
  encoding: 'arrow',
  bytes: hostile.stream(...messages),
})

/** Short names that differ from each other: numbers to base 36. */
const distinct = (index: number): string => index.toString(36)

const ITEMS: readonly ((index: number) => string)[] = [
  () => '1',
  () => '[]',
  () => '[1]',
  () => '{}',
  () => '""',
  () => '-0.0e-9',
  () => '2.2250738585072011e-308',
  () => '"\\u0041\\n"',
  () => '\n\n1',
  () => 'null',
  () => `${'['.repeat(28)}${']'.repeat(28)}`,
  (index) => `"${distinct(index)}"`,
  (index) => `{"${distinct(index)}":1}`,
  (index) => `{"volatilit${distinct(index)}":1,"__proto__":{}}`,
  (index) => `{"constructor":{"prototype":${index}}}`,
  (index) => `[${index},"€",{"a":[]}]`,
  () => '{"K":100,"T":1,"price":10}',
  (index) =>
    `{"K":100,"T":1,"price":10${Array.from({ length: 40 }, (_, name) => `,"${distinct(index + name)}":1`).join('')}}`,
]

/** Openings and endings of a body around many items; some leave a fault at the end. */
const FRAMES: readonly (readonly [string, string, string])[] = [
  [FOREST, '{"X":[', ']}'],
  [FOREST, '{"X":[[', ']]}'],
  [FOREST, '{"X":[', ']]'],
  [FOREST, '{"X":[', ''],
  [FOREST, '[', ']'],
  [BATCH, '{"calls":[', ']}'],
  [BATCH, `{"calls":[{"path":"${PRICE}","body":{"spot":[`, ']}}]}'],
  [COLUMNS, `{"columns":${SCALARS.slice(0, -2)}[`, ']}}'],
  [COLUMNS, `{"columns":${SCALARS.slice(0, -1)},"option_type":[`, ']}}'],
  [COLUMNS, '{"columns":{"spot":[', ']}'],
  [CALIBRATE, '{"S":100,"r":0,"quotes":[', ']}'],
  [DISCRIMINATION, '{"y_score":[1],"y_true":[', ']}'],
]

const CALLS: readonly ((index: number) => string)[] = [
  () => '{"path":"","body":{}}',
  () => `{"path":"${PRICE}","body":{"a":1,"b":1,"c":1,"d":1}}`,
  (index) => `{"path":"/quantlib/pricing/bs/pric${index}","body":{}}`,
  (index) => `{"path":"","body":{"${distinct(index)}":1}}`,
  (index) => `{"path":"${PRICE}","body":{"spo${index}":1,"strik":${index}}}`,
]

const NAMES: readonly ((index: number) => string)[] = [
  distinct,
  (index) => `k${index}`,
  (index) => String(index),
  // Far from each other as indices of an array.
  (index) => String((index * 16_384) % 9_999_999),
  () => '__proto__',
  () => 'spot',
  (index) => `volatilit${distinct(index)}`,
  (index) => 'strike'.repeat(20) + distinct(index),
]

const inJsonKinds: Readonly<Record<string, Kind>> = {
  'many items': (most, variant) => {
    const [path, open, close] = pick(FRAMES, variant)
    return inJson(path, filled(most, open, pick(ITEMS, Math.floor(variant / FRAMES.length)), close))
  },
  'many calls': (most, variant) => inJson(BATCH, filled(most, '{"calls":[', pick(CALLS, variant), ']}')),
  'many names': (most, variant) => {
    const name = pick(NAMES, Math.floor(variant / paths.length))
    return inJson(
      pick(paths, variant),
      filled(most, '{', (index) => `"${name(index)}":1`, '}'),
    )
  },
  'many columns': (most, variant) => {
    const name = pick(NAMES, variant)
    return inJson(
      COLUMNS,
      filled(most, '{"columns":{', (index) => `"${name(index)}":1`, '}}'),
    )
  },
  'one long text': (most, variant) => {
    const part = pick(['a', '€', '\\u0041', '\\\\', '9', ' '], variant)
    return inJson(PRICE, `{"option_type":"${part.repeat((most - 30) / Buffer.byteLength(part))}"}`)
  },
  'one long number': (most, variant) =>
    inJson(
      PRICE,
      `{"spot":${pick(['1', '1.', '0.', '-9e-', `${'1'.repeat(299)}a`], variant)}${'1'.repeat(most - 30)}}`,
    ),
  'deep nesting': (most, variant) =>
    inJson(pick(paths, variant), pick(['[', '{"a":', '[{"a":'], variant).repeat(most / 8)),
  'white space': (most, variant) =>
    inJson(pick(paths, variant), `{${pick(['\n', ' ', '\r\n\t'], variant).repeat(most / 4)}`),
}

const INT8S = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: distinct(index), type: 'int8' as const }))

const inArrowKinds: Readonly<Record<string, Kind>> = {
  'rows without columns': (_, variant) =>
    inArrow(pick(arrowPaths, variant), hostile.schema([]), hostile.recordBatch(1_000_000, 0, [])),
  'batches without columns': (most, variant) => {
    const batch = hostile.recordBatch(variant % 2, 0, [])
    return inArrow(
      pick(arrowPaths, variant),
      hostile.schema([]),
      ...Array(Math.floor(most / batch.length)).fill(batch),
    )
  },
  'one entry of the metadata, named many times': (most, variant) => {
    const entry = hostile.quantdEntry(`{"a":"${'€'.repeat(most / 10)}"}`)
    const fields = hostile.fieldsOf([{ name: 'spot', type: 'float64' }])
    return inArrow(pick(arrowPaths, variant), hostile.schema(fields, Array(Math.floor(most / 8)).fill(entry)))
  },
  'many empty entries': (most, variant) => {
    const entry = hostile.quantdEntry('')
    return inArrow(pick(arrowPaths, variant), hostile.schema([], Array(Math.floor(most / 4)).fill(entry)))
  },
  'metadata of many names': (most, variant) => {
    const json = filled(most, '{', (index) => `"${pick(NAMES, variant)(index)}":1`, '}')
    return inArrow(COLUMNS, hostile.schema([], [hostile.quantdEntry(json)]))
  },
  'columns that share a long name': (most, variant) => {
    const name = { text: 'n'.repeat(Math.min(1_000, most / 4)) }
    const type = pick(['float64', 'int8', 'dictionary'] as const, variant)
    const field = hostile.field({ name: '', type }, name)
    return inArrow(pick(arrowPaths, variant), hostile.schema(Array(Math.floor(most / 6)).fill(field)))
  },
  'many columns': (most, variant) => {
    const columns = INT8S(Math.min(10_000, Math.floor(most / 70)))
    return inArrow(pick(arrowPaths, variant), hostile.schema(hostile.fieldsOf(columns)))
  },
  'columns that share their bytes': (most, variant) => {
    const columns = INT8S(Math.floor(most / 200))
    const rows = Math.floor(most / 4)
    const buffers = columns.flatMap(() => [[0, 0] as const, [0, rows] as const])
    return inArrow(
      pick(arrowPaths, variant),
      hostile.schema(hostile.fieldsOf(columns)),
      hostile.recordBatch(rows, columns.length, buffers, new Uint8Array(rows)),
    )
  },
  'a large dictionary, referred to by many batches': (most, variant) => {
    const words = Math.floor(most / 20)
    const rows = variant % 2
    const batch = hostile.recordBatch(
      rows,
      1,
      [
        [0, 0],
        [0, rows],
      ],
      new Uint8Array(8 * rows),
    )
    return inArrow(
      COLUMNS,
      hostile.schema(hostile.fieldsOf([{ name: 'option_type', type: 'dictionary' }]), [
        hostile.quantdEntry(SCALARS),
      ]),
      hostile.dictionary(words),
      ...Array(Math.floor(most / 2 / batch.length)).fill(batch),
    )
  },
  'many dictionaries': (most, variant) => {
    const one = hostile.dictionary(variant % 3)
    const columns = [{ name: 'option_type', type: 'dictionary' } as const, ...INT8S(most / 400)]
    return inArrow(
      COLUMNS,
      hostile.schema(hostile.fieldsOf(columns)),
      ...Array(Math.floor(most / 2 / one.length)).fill(one),
    )
  },
  'more rows than bytes': (_, variant) =>
    inArrow(
      pick(arrowPaths, variant),
      hostile.schema(hostile.fieldsOf([{ name: 'spot', type: 'int8' }])),
      hostile.recordBatch(pick([1_000_000, 2 ** 31, 2 ** 52], variant), 1, [
        [0, 0],
        [0, pick([0, 8, 2 ** 40], variant)],
      ]),
    ),
  'booleans, eight in a byte': (most, variant) => {
    const rows = Math.min(500_000, 4 * most)
    const name = pick(['y_score', 'spot'], variant)
    const columns = ['y_true', name].map((name) => ({ name, type: 'bool' as const }))
    const [first, second] = [rows / 8, rows / 8].map(Math.ceil) as [number, number]
    const body = inArrow(
      DISCRIMINATION,
      hostile.schema(hostile.fieldsOf(columns)),
      hostile.recordBatch(
        rows,
        2,
        [
          [0, 0],
          [0, first],
          [0, 0],
          [first, second],
        ],
        Buffer.alloc(first + second, 0x55),
      ),
    )
    return { ...body, booleans: 2 * rows }
  },
  'bytes as numbers': (most, variant) => {
    const width = pick([1, 2, 5], variant)
    const path = pick(arrowPaths, Math.floor(variant / 3))
    const names = ['spot', 'strike', 'volatility', 'time_to_maturity', 'x']
    const rows = Math.min(200_000, Math.floor(most / width))
    const buffers = Array.from({ length: width }, (_, index) => [
      [0, 0] as const,
      [index * rows, rows] as const,
    ])
    return inArrow(
      path,
      hostile.schema(
        hostile.fieldsOf(names.slice(0, width).map((name) => ({ name, type: 'int8' }))),
        path === COLUMNS && width === 1 ? [hostile.quantdEntry(SCALARS.replace(',"spot":1', ''))] : [],
      ),
      hostile.recordBatch(rows, width, buffers.flat(), Buffer.alloc(width * rows, 1)),
    )
  },
  'bits that say that every second value is missing': (most, variant) => {
    const rows = Math.min(200_000, Math.floor(most / 2))
    const bits = Math.ceil(rows / 8)
    const body = Buffer.concat([Buffer.alloc(bits, variant % 2 === 0 ? 0xff : 0xf7), Buffer.alloc(rows)])
    return inArrow(
      pick(arrowPaths, variant),
      hostile.schema(hostile.fieldsOf([{ name: 'spot', type: 'int8' }])),
      hostile.recordBatch(
        rows,
        1,
        [
          [0, bits],
          [bits, rows],
        ],
        body,
      ),
    )
  },
  'strings of no bytes': (most) => {
    const rows = Math.floor(most / 4) - 64
    return inArrow(
      COLUMNS,
      hostile.schema(hostile.fieldsOf([{ name: 'option_type', type: 'utf8' }]), [
        hostile.quantdEntry(SCALARS),
      ]),
      hostile.recordBatch(
        rows,
        1,
        [
          [0, 0],
          [0, 4 * rows + 4],
          [0, 0],
        ],
        new Uint8Array(4 * rows + 4),
      ),
    )
  },
}

export const hostileBodies: Readonly<Record<string, Kind>> = { ...inJsonKinds, ...inArrowKinds }
