/** Arrow streams over HTTP: on columns, and on the computations of vectors and matrices. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DateDay,
  Float32,
  Float64,
  Int64,
  LargeUtf8,
  Table,
  tableToIPC,
  Uint16,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import { hasColumns } from '../../../src/compute/catalogue/columns.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { ARROW, readByReference, streamOf, vectorOf } from '../../support/arrow-streams.ts'
import { OPTION } from '../../support/option.ts'
import { useService } from '../../support/people.ts'
import { UNLIMITED } from '../../support/service.ts'

type Fields = Record<string, unknown>

const service = await useService()
const key = await service.guestWith(UNLIMITED)

async function send(path: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': ARROW, 'x-api-key': key, ...headers },
    body: body as never,
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')!
  return {
    status: response.status,
    type,
    bytes,
    cost: response.headers.get('x-credits-cost'),
    // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
    body: type === ARROW ? null : (JSON.parse(Buffer.from(bytes).toString()) as any),
  }
}

const inArrow = { accept: ARROW }
const PRICE = '/quantlib/pricing/bs/price/columns'
const book = {
  spot: vectorOf([100, 101, 102]),
  strike: vectorOf([90, 100, 110]),
  risk_free_rate: vectorOf([0.05, 0.05, 0.05]),
  volatility: vectorOf([0.2, 0.3, 0.4]),
  time_to_maturity: vectorOf([1, 2, 3]),
}

const optionOf = (option_type: string) => ({ ...OPTION, option_type })

async function assertRefused(sent: ReturnType<typeof send>, path: string, message: RegExp): Promise<void> {
  const { body, cost, status } = await sent
  assert.deepEqual([status, body?.error?.code], [422, 'invalid_input'], JSON.stringify(body))
  assert.equal(body.error.details[0].path, path)
  assert.match(body.error.details[0].message, message)
  assert.equal(cost, '0')
}

describe('an Arrow stream on columns', () => {
  for (const operation of operations.filter(hasColumns))
    it(`${operation.path}: gives what the JSON columns give, in Arrow as in JSON`, async () => {
      const example = operation.example.input as Fields
      const rows = Array.from({ length: 100 }, (_, row) =>
        Object.fromEntries(
          Object.entries(example).map(([name, value]) => [
            name,
            typeof value === 'number' ? value * (1 + row / 1_000) : value,
          ]),
        ),
      )
      const columns: Fields = Object.fromEntries(
        Object.keys(example).map((name) => [name, rows.map((row) => row[name])]),
      )
      const stream = streamOf(
        Object.fromEntries(
          Object.entries(columns).map(([name, values]) => [name, vectorOf(values as unknown[])]),
        ),
      )
      const path = `${operation.path}/columns`
      const json = (await service.call(path, { key, body: { columns } })).body.data
      assert.deepEqual((await send(path, stream)).body.data, json)
      const { bytes, type } = await send(path, stream, inArrow)
      assert.equal(type, ARROW)
      const answer = readByReference(bytes)
      assert.deepEqual(answer.columns, json.columns)
      const { columns: _, ...summary } = json
      assert.deepEqual(answer.metadata, summary)
    })

  it('gives 0 where a single call prints 0, and not −0', async () => {
    const stream = streamOf({ x: vectorOf([-0]), func_name: vectorOf(['sin']) })
    const { bytes } = await send('/quantlib/numerical/differentiation/derivative/columns', stream, inArrow)
    assert.ok(Object.is(readByReference(bytes).columns.x[0], 0))
  })

  it('says which word an unknown one may stand for, as columns in JSON do', async () => {
    const words = ['CALL', 'x'.repeat(50), 'putt', 'call', 'CALL', ...Array.from({ length: 20 }, String)]
    const { option_type: _, ...scalars } = optionOf('call')
    const json = { columns: { ...scalars, option_type: words } }
    const { errors } = (await service.call(PRICE, { key, body: json })).body.data
    const hints = errors.map(({ message }: { message: string }) => /mean "(\w+)"/.exec(message)?.[1])
    assert.deepEqual(hints.slice(0, 4), ['call', undefined, 'put', 'call'])
    for (const strings of [vectorFromArray(words, new Utf8()), vectorOf(words)]) {
      const answer = await send(PRICE, streamOf({ option_type: strings }, scalars))
      assert.deepEqual(answer.body.data.errors, errors)
    }
    const single = await service.call(PRICE.replace('/columns', ''), { key, body: optionOf('CALL') })
    assert.equal(errors[0].message, single.body.message)
  })

  it('may have narrower types, several batches, strings with and without a dictionary', async () => {
    const whole = await service.call(PRICE, {
      key,
      body: {
        columns: {
          spot: [100, 101, 102, 100, 101, 102],
          strike: [90, 100, 110, 90, 100, 110],
          risk_free_rate: 0,
          volatility: [0.25, 0.5, 0.75, 0.25, 0.5, 0.75],
          time_to_maturity: [1, 2, 3, 1, 2, 3],
          option_type: ['put', 'call', 'put', 'put', 'call', 'put'],
        },
      },
    })
    for (const strings of [
      vectorFromArray(['put', 'call', 'put'], new Utf8()),
      vectorFromArray(['put', 'call', 'put'], new LargeUtf8()),
      vectorOf(['put', 'call', 'put']),
    ]) {
      const table = new Table({
        spot: vectorFromArray([100n, 101n, 102n], new Int64()),
        strike: vectorFromArray([90, 100, 110], new Uint16()),
        risk_free_rate: vectorFromArray([0, 0, 0], new Float32()),
        volatility: vectorFromArray([0.25, 0.5, 0.75], new Float32()),
        time_to_maturity: vectorFromArray([1, 2, 3], new Float64()),
        option_type: strings as Vector<Utf8>,
      })
      const answer = await send(PRICE, tableToIPC(table.concat(table), 'stream'))
      assert.deepEqual(answer.body.data, whole.body.data)
      assert.equal(answer.cost, '6')
    }
  })

  it('takes scalars from the metadata, and defaults as ever', async () => {
    const { strike: _, ...scalars } = optionOf('put')
    const json = await service.call(PRICE, { key, body: { columns: { ...scalars, strike: [90, 95] } } })
    const arrow = await send(PRICE, streamOf({ strike: vectorOf([90, 95]) }, scalars))
    assert.deepEqual(arrow.body.data, json.body.data)
  })

  it('has null in the rows that failed, which the metadata lists', async () => {
    const stream = streamOf({ ...book, strike: vectorOf([90, -1, 110]) })
    const answer = await send(PRICE, stream, inArrow)
    const { columns, metadata, types } = readByReference(answer.bytes)
    assert.equal(columns.price![1], null)
    assert.notEqual(columns.price![2], null)
    assert.deepEqual(types, ['Float64', 'Dictionary<Int8, Utf8>'])
    assert.deepEqual([metadata.succeeded, metadata.failed, metadata.errors[0].row], [2, 1, 1])
    assert.equal(answer.cost, '2')
  })

  it('is also the reply to JSON where the client asks for it, and failures stay JSON', async () => {
    const headers = { 'content-type': 'application/json', accept: `${ARROW}, application/json;q=0.5` }
    const body = {
      columns: { spot: 1, strike: [1, 2], risk_free_rate: 0, volatility: 1, time_to_maturity: 1 },
    }
    const answer = await send(PRICE, Buffer.from(JSON.stringify(body)), headers)
    assert.deepEqual([answer.type, readByReference(answer.bytes).metadata.rows], [ARROW, 2])
    for (const accept of ['*/*', 'application/json', `${ARROW};q=0`])
      assert.notEqual((await send(PRICE, streamOf(book), { accept })).type, ARROW)
    await assertRefused(
      send(PRICE, streamOf({ ...book, x: vectorOf([1, 1, 1]) }), inArrow),
      '/columns/x',
      /not a field/,
    )
  })

  it('fails a row alone whose value is missing: null, NaN, or no word, each named as in JSON', async () => {
    const strike = vectorFromArray([90, null, 110], new Float64())
    const option_type = vectorOf(['put', 'call', null])
    const answer = await send(PRICE, streamOf({ ...book, strike, option_type }))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { columns, errors, succeeded } = answer.body.data
    assert.deepEqual([columns.price[0] > 0, columns.price[1], columns.price[2]], [true, null, null])
    const error = (row: number, name: string) => ({
      row,
      message: `${name} is missing.`,
      details: [{ path: `/${name}`, message: 'is missing' }],
    })
    assert.deepEqual([succeeded, errors], [1, [error(1, 'strike'), error(2, 'option_type')]])
    assert.equal(answer.cost, '1')
    const nan = await send(PRICE, streamOf({ ...book, strike: vectorOf([90, Number.NaN, 110]) }))
    assert.deepEqual(nan.body.data.errors, [error(1, 'strike')])
    const flat = { spot: 100, strike: 100, risk_free_rate: 0, volatility: 0.2, time_to_maturity: 1 }
    const words = { columns: { ...flat, option_type: ['put', 'call', null] } }
    const json = await service.call(PRICE, { key, body: words })
    assert.deepEqual(json.body.data.errors, [error(2, 'option_type')])
  })

  it('is refused where types, names or lengths do not fit, by column and row', async () => {
    const refused = (columns: Record<string, Vector>, path: string, message: RegExp) =>
      assertRefused(send(PRICE, streamOf({ ...book, ...columns })), path, message)
    await refused(
      { strike: vectorOf(['90', '95', '100']) },
      '/columns/strike',
      /^must be a number, but the column holds text$/,
    )
    await refused(
      { strike: vectorOf([true, true, false]) },
      '/columns/strike',
      /^must be a number, but the column holds booleans$/,
    )
    await refused(
      { option_type: vectorOf([1, 2, 3]) },
      '/columns/option_type',
      /^must be one of: call, put; the column holds numbers$/,
    )
    await refused(
      { strike: vectorFromArray([new Date(), new Date(), new Date()], new DateDay()) },
      '/columns/strike',
      /^must be a number, but the column holds dates$/,
    )
    await refused({ strik: vectorOf([1, 2, 3]) }, '/columns/strik', /did you mean "strike"\?$/)
    await assertRefused(send(PRICE, streamOf({ strike: book.strike })), '/columns/spot', /^is required$/)
    await assertRefused(send(PRICE, streamOf(book, { spot: 1 })), '/columns/spot', /^is given twice/)
    for (const metadata of ['[1]', '{', '1'])
      await assertRefused(send(PRICE, streamOf(book, metadata)), '/metadata/quantd', /^must be a JSON object/)
    const empty = Object.fromEntries(
      Object.keys(book).map((name) => [name, vectorFromArray([], new Float64())]),
    )
    await assertRefused(send(PRICE, streamOf(empty)), '/columns/spot', /^must not be empty/)
  })

  it('is refused when cut off anywhere, and when it is not a stream', async () => {
    const stream = streamOf(book)
    for (let length = 1; length < stream.length; length += 97)
      await assertRefused(send(PRICE, stream.subarray(0, length)), '', /^is not a well-formed Arrow stream/)
    await assertRefused(
      send(PRICE, tableToIPC(new Table(book), 'file')),
      '',
      /^is not a well-formed Arrow stream/,
    )
    await assertRefused(send(PRICE, Buffer.from('{"columns":{}}')), '', /^is not a well-formed Arrow stream/)
  })
})

describe('an Arrow stream on vectors and matrices', () => {
  for (const operation of operations.filter((one) => !hasColumns(one)))
    it(`${operation.path}: answers its example`, async () => {
      const { input, output } = operation.example as { input: Fields; output: Fields }
      const columns: Record<string, Vector> = {}
      const scalars: Fields = {}
      // A list of objects is in the metadata.
      const isColumn = (value: unknown) =>
        Array.isArray(value) && (Array.isArray(value[0]) || typeof value[0] !== 'object')
      const arrays = Object.values(input).filter(isColumn) as unknown[][]
      const table = arrays.find(([first]) => Array.isArray(first)) ?? arrays[0]
      for (const [name, value] of Object.entries(input)) {
        // An array of another length than the table is no column of it.
        const isTable =
          Array.isArray(value) && isColumn(value) && (value === table || !Array.isArray(table?.[0]))
        if (!isTable || value.length !== table?.length) scalars[name] = value
        else if (!Array.isArray(value[0])) columns[name] = vectorOf(value)
        else
          for (const column of value[0].keys())
            columns[`x${column}`] = vectorOf(value.map((row) => row[column]))
      }
      const stream = streamOf(columns, scalars)
      assert.deepEqual((await send(operation.path, stream)).body.data, output)
      const answer = readByReference((await send(operation.path, stream, inArrow)).bytes)
      assert.deepEqual({ ...answer.metadata, ...answer.columns }, output)
    })

  it('has booleans as labels', async () => {
    const stream = streamOf({
      y_true: vectorOf([false, false, true, true]),
      y_score: vectorOf([0.1, 0.4, 0.35, 0.8]),
    })
    assert.equal((await send('/quantlib/ml/credit/discrimination', stream)).body.data.auc_roc, 0.75)
  })

  it('is refused by column and row', async () => {
    const forest = '/quantlib/ml/clustering/isolation-forest'
    const x = { age: vectorOf([1, 2, 3]), income: vectorOf([1, Number.NaN, 3]) }
    await assertRefused(send(forest, streamOf(x)), '/columns/income/1', /^must be a finite number/)
    const gap = { age: x.age, income: vectorFromArray([1, null, 3], new Float64()) }
    await assertRefused(send(forest, streamOf(gap)), '/columns/income/1', /^is null/)
    await assertRefused(
      send(forest, streamOf({ age: vectorOf(['a', 'b']) })),
      '/columns/age',
      /^must be a number/,
    )
    await assertRefused(
      send(forest, streamOf({ age: x.age }, { n_trees: 0 })),
      '/n_trees',
      /^must be at least 1$/,
    )
    const labels = { y_true: vectorOf([0, 1, 2]), y_score: vectorOf([1, 2, 3]) }
    await assertRefused(
      send('/quantlib/ml/credit/discrimination', streamOf(labels)),
      '/columns/y_true/2',
      /^must be 0 or 1$/,
    )
    await assertRefused(
      send('/quantlib/ml/credit/discrimination', streamOf({ ...labels, z: x.age })),
      '/columns/z',
      /^is not a field/,
    )
  })

  it('is refused where the metadata has a matrix of its own, and may have a column of the name of a scalar', async () => {
    const forest = '/quantlib/ml/clustering/isolation-forest'
    const x = { n_trees: vectorOf([1, 2, 9]), income: vectorOf([1, 2, 3]) }
    const other = { X: [[1], [2]] }
    await assertRefused(send(forest, streamOf(x, other)), '/X', /^is given twice/)
    await assertRefused(send(forest, streamOf({}, other)), '/X', /^is given twice/)
    const scalars = { n_trees: 3, random_state: 7 }
    const { body } = await send(forest, streamOf(x, scalars))
    const rows = [1, 2, 9].map((first, row) => [first, row + 1])
    const asked = { key: await service.guest(), body: { X: rows, ...scalars } }
    assert.deepEqual(body.data, (await service.call(forest, asked)).body.data)
  })

  it('is not taken where a computation has columns, nor by batches', async () => {
    const alone = await send('/quantlib/pricing/bs/price', streamOf(book))
    assert.deepEqual([alone.status, alone.body.error.code], [415, 'unsupported_media_type'])
    assert.equal((await send('/quantlib/batch', streamOf(book))).status, 415)
    const text = await send(PRICE, streamOf(book), { 'content-type': 'text/csv' })
    assert.equal(text.status, 415)
    assert.match(
      text.body.message,
      /or as an Arrow stream with "Content-Type: application\/vnd\.apache\.arrow\.stream"/,
    )
  })
})
