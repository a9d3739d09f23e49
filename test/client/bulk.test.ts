/** The client's batches, columns and usage history against a service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow'
import { encoded } from '../../clients/typescript/arrow.ts'
import {
  AuthenticationError,
  ConnectionError,
  CreditsExhaustedError,
  createClient,
  type DebugEvent,
  InvalidInputError,
  type Progress,
  QuantdError,
} from '../../clients/typescript/index.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { OPTION } from '../support/option.ts'
import { useService } from '../support/people.ts'

const service = await useService()
const quantd = operator(settingsOf(service))
const created = await quantd(['admin', 'create', 'ada@example.org', '--credits', '1000', '--json'])
const key: string = created.json.api_key
const client = createClient({ baseUrl: service.url, apiKey: key })

test('the results of a batch have the types of its calls, and failures are errors that are not thrown', async () => {
  const [price, utility, faulty] = await client.batch([
    { method: 'pricingBsPrice', input: OPTION },
    { method: 'economicsUtilityLog', input: { wealth: 2 } },
    { method: 'economicsUtilityLog', input: { wealth: -2 } },
  ])
  assert.ok(price.success && utility.success && !faulty.success)
  const numbers: [number, number] = [price.data.price, utility.data.marginal_utility]
  assert.deepEqual(numbers, [8.021352235143173, 0.5])
  assert.ok(faulty.error instanceof InvalidInputError)
  assert.deepEqual(faulty.error.details, [{ path: '/wealth', message: 'must be greater than 0' }])
  // @ts-expect-error the input of another computation
  const wrong = client.batch([{ method: 'economicsUtilityLog', input: OPTION }])
  assert.equal((await wrong)[0].success, false)
})

test('the compiler finds a wrong input of a call in a batch', async () => {
  const results = await client.batch([
    // @ts-expect-error a string in the place of a number
    { method: 'pricingBsPrice', input: { ...OPTION, strike: '105' } },
    // @ts-expect-error an absent field
    { method: 'economicsUtilityLog', input: {} },
    // @ts-expect-error a misspelt field
    { method: 'economicsUtilityLog', input: { welth: 1 } },
    // @ts-expect-error an unknown word
    { method: 'pricingBsPrice', input: { ...OPTION, option_type: 'cal' } },
  ])
  assert.ok(results.every(({ success }) => !success))
})

test('a long batch is sent in chunks, and its results keep their order', async () => {
  const progress: Progress[] = []
  const calls = Array.from({ length: 25 }, (_, index) => ({
    method: 'economicsUtilityLog' as const,
    input: { wealth: index + 1 },
  }))
  const results = await client.batch(calls, {
    chunk: 10,
    concurrency: 2,
    onProgress: (one) => progress.push(one),
  })
  assert.deepEqual(
    results.map((result) => (result.success ? result.data.marginal_utility : null)),
    calls.map(({ input }) => 1 / input.wealth),
  )
  assert.equal(progress.length, 3)
  assert.deepEqual(progress.at(-1), { done: 25, total: 25 })
})

test('columns take scalars, lists and typed arrays and return typed arrays', async () => {
  const strike = Float64Array.from({ length: 7 }, (_, row) => 90 + 5 * row)
  const result = await client.columns(
    'pricingBsPrice',
    { ...OPTION, strike, option_type: ['call', 'put', 'call', 'put', 'call', 'put', 'call'] },
    { chunk: 3 },
  )
  const prices: Float64Array = result.columns.price
  assert.equal(prices.length, 7)
  assert.equal(prices[3], (await client.pricingBsPrice({ ...OPTION, option_type: 'put' })).price)
  assert.deepEqual(result.columns.option_type.slice(0, 2), ['call', 'put'])
  assert.deepEqual([result.rows, result.succeeded, result.failed], [7, 7, 0])
})

test('columns in Arrow are those in JSON, bit by bit, with failed rows and words of any kind', async () => {
  const rows = 40
  const spot = Float64Array.from({ length: rows }, (_, row) => (row % 13 === 5 ? -1 : 90 + row / 7))
  const input = {
    ...OPTION,
    spot,
    strike: Float32Array.from(spot, (value) => value + 1),
    volatility: Array.from(spot, (_, row) => 0.1 + row / 100),
    option_type: Array.from(spot, (_, row) => (row % 3 === 0 ? ('put' as const) : ('call' as const))),
  }
  const types: string[] = []
  const counted: typeof fetch = (url, init) => {
    types.push(new Headers(init?.headers).get('content-type')!.replace(/.*[./]/, ''))
    return fetch(url, init)
  }
  const own = createClient({ baseUrl: service.url, apiKey: key, fetch: counted })
  const inJson = await own.columns('pricingBsPrice', input, { chunk: 15 })
  const inArrow = await own.columns('pricingBsPrice', input, { chunk: 15, format: 'arrow' })
  assert.deepEqual(types, ['json', 'json', 'json', 'stream', 'stream', 'stream'])
  assert.deepEqual(inArrow, inJson)
  assert.deepEqual([inArrow.failed, inArrow.errors.map(({ row }) => row)], [3, [5, 18, 31]])
  assert.ok(Number.isNaN(inArrow.columns.price[5]) && inArrow.columns.option_type[5] === null)

  // A list that Arrow cannot hold is sent as JSON, so that the service can name the fault.
  const faulty = { ...input, volatility: [...input.volatility.slice(1), '1'] as number[] }
  await assert.rejects(own.columns('pricingBsPrice', faulty, { format: 'arrow' }), {
    details: [{ path: '/columns/volatility/39', message: 'must be a number' }],
  })
  assert.equal(types.at(-1), 'json')
  await assert.rejects(
    own.columns('economicsUtilityLog', { wealth: Float64Array.of(-1) }, { format: 'arrow' }),
    InvalidInputError,
  )
})

test('columns of too much work for one request are sent in several', async () => {
  const statuses: number[] = []
  const counting = createClient({
    baseUrl: service.url,
    apiKey: key,
    debug: (event) => event.type === 'reply' && statuses.push(event.status),
  })
  const option = { spot: 90, strike: 100, risk_free_rate: -0.01, dividend_yield: -0.02, time_to_maturity: 1 }
  const { columns, rows } = await counting.columns('pricingAmericanImpliedVolatility', {
    ...option,
    option_type: 'put',
    price: new Float64Array(200).fill(10),
  })
  assert.equal(rows, 200)
  assert.deepEqual(columns.implied_volatility, new Float64Array(200))
  assert.deepEqual(statuses, [422, 200, 200])
})

test('a value that is missing fails its row alone, in both forms', async () => {
  const wealth = [1, null, 3]
  for (const format of ['json', 'arrow'] as const) {
    const { columns, errors } = await client.columns('economicsUtilityLog', { wealth }, { format })
    assert.deepEqual([...columns.utility].map(Number.isNaN), [false, true, false])
    assert.deepEqual(
      errors.map(({ row }) => row),
      [1],
    )
  }
})

test('an infinite number fails its row as such, in both forms', async () => {
  for (const wealth of [[1, Infinity, 3], Float64Array.of(1, -Infinity, 3)])
    for (const format of ['json', 'arrow'] as const) {
      const { errors } = await client.columns('economicsUtilityLog', { wealth }, { format })
      assert.deepEqual(
        errors.map(({ message, row }) => [row, message]),
        [[1, 'wealth must be a finite number (at most 1.8e308).']],
      )
    }
})

test('the streams of columns are read by the reference implementation', () => {
  const words = ['call', 'péage', 'call', '']
  const stream = encoded(
    [
      ['x', Float64Array.of(1.5, -0, 1e300, Number.NaN)],
      ['word', words],
    ],
    { n: 2, s: 'ü' },
  )
  const table = tableFromIPC(stream)
  assert.deepEqual([...table.getChild('x')!], [1.5, -0, 1e300, Number.NaN])
  assert.deepEqual([...table.getChild('word')!], words)
  assert.deepEqual(JSON.parse(table.schema.metadata.get('quantd')!), { n: 2, s: 'ü' })
  assert.equal(encoded([['x', [1, null]]], {}), null)
})

test("an error of the caller's onProgress ends columns like a failure", async () => {
  let replies = 0
  const sent = client.columns(
    'economicsUtilityLog',
    { wealth: Array.from({ length: 20 }, (_, row) => row + 1) },
    {
      chunk: 1,
      concurrency: 2,
      onProgress() {
        replies += 1
        throw new Error('mine')
      },
    },
  )
  await assert.rejects(sent, { message: 'mine' })
  assert.ok(replies <= 2, `${replies} replies`)
})

test('failed rows are NaN and described by their row, also where a whole chunk failed', async () => {
  const wealth = [1, -1, 2, -2, -3, -4]
  const { columns, errors, failed, succeeded } = await client.columns(
    'economicsUtilityLog',
    { wealth },
    { chunk: 2 },
  )
  assert.deepEqual([...columns.marginal_utility], [1, Number.NaN, 0.5, Number.NaN, Number.NaN, Number.NaN])
  assert.deepEqual([succeeded, failed], [2, 4])
  const details = [{ path: '/wealth', message: 'must be greater than 0' }]
  assert.deepEqual(
    errors,
    [1, 3, 4, 5].map((row) => ({ row, message: 'wealth must be greater than 0.', details })),
  )
  await assert.rejects(client.columns('economicsUtilityLog', { wealth: [-1, -2] }), InvalidInputError)
  await assert.rejects(client.columns('pricingBsPrice', { ...OPTION, spot: [1, 2], strike: [1, 2, 3] }), {
    name: 'RangeError',
    message: 'strike has 3 values but spot has 2.',
  })
})

test('an Arrow table goes in and comes out, with the rows as columns or as a matrix', async () => {
  const wealth = Float64Array.of(1, 2, 4)
  const table = tableFromIPC(
    await client.arrow('economicsUtilityLog', tableToIPC(tableFromArrays({ wealth }))),
  )
  assert.deepEqual([...(table.getChild('marginal_utility')?.toArray() ?? [])], [1, 0.5, 0.25])
  const matrix = tableFromArrays({
    x: Float64Array.from({ length: 12 }, (_, row) => (row === 5 ? 1_000 : row)),
  })
  const outliers = tableFromIPC(await client.arrow('mlPreprocessingOutliers', tableToIPC(matrix)))
  assert.equal(outliers.numRows, 12)
  const faulty = tableToIPC(tableFromArrays({ welth: wealth }))
  await assert.rejects(client.arrow('economicsUtilityLog', faulty), InvalidInputError)
})

test('columns that are sent again with their idempotency key are not charged again', async () => {
  const { credits } = await client.userProfile()
  const send = () =>
    client.columns('economicsUtilityLog', { wealth: [1, 2, 3, 4] }, { chunk: 2, idempotencyKey: 'mine' })
  assert.deepEqual(await send(), await send())
  assert.equal((await client.userProfile()).credits, credits - 4)
})

test('typed arrays may stand for lists and for the rows of a matrix', async () => {
  const X = Array.from({ length: 12 }, (_, row) => Float32Array.of(row === 5 ? 1_000 : row))
  const { outlier_indices } = await client.mlPreprocessingOutliers({ X })
  assert.deepEqual(outlier_indices, [5])
  const { shannon_entropy } = await client.physicsEntropyShannon({
    probabilities: new Float64Array(4).fill(0.25),
    base: 2,
  })
  assert.equal(shannon_entropy, 2)
})

test('the usage history is iterated over all of its pages', async () => {
  const paths: string[] = []
  for await (const { path } of client.usageHistory({ limit: 3 })) paths.push(path)
  const { items } = await client.userUsage({ limit: 1_000 })
  assert.ok(items.length > 6)
  assert.deepEqual(
    paths,
    items.map(({ path }) => path),
  )
})

test('a call may return the whole reply', async () => {
  const { data, headers, standing, status, text } = await client
    .economicsUtilityLog({ wealth: 4 })
    .withReply()
  assert.deepEqual([data.marginal_utility, status, standing.creditsCost], [0.25, 200, 1])
  assert.equal(JSON.parse(text).data.marginal_utility, 0.25)
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]+$/)
})

test('each kind of failure has a class, and all are QuantdErrors', async () => {
  const guest = client.withKey(await service.guest())
  await assert.rejects(client.withKey('no').userProfile(), AuthenticationError)
  await assert.rejects(client.withKey('no').userProfile().withReply(), AuthenticationError)
  const wealth = Array.from({ length: 51 }, (_, row) => row + 1)
  await assert.rejects(guest.columns('economicsUtilityLog', { wealth }), CreditsExhaustedError)
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
  const error = await nobody.healthz().catch((error) => error)
  assert.ok(error instanceof ConnectionError && error instanceof QuantdError)
  assert.equal(error.name, 'ConnectionError')
})

test('an abort ends columns between their chunks', async () => {
  const controller = new AbortController()
  const sent = client.columns(
    'economicsUtilityLog',
    { wealth: Array.from({ length: 20 }, (_, row) => row + 1) },
    {
      chunk: 1,
      concurrency: 1,
      signal: controller.signal,
      onProgress: ({ done }) => done === 2 && controller.abort(),
    },
  )
  await assert.rejects(sent, { name: 'AbortError' })
})

test('the debug hook gets requests, replies and retries, and never the key', async () => {
  const events: DebugEvent[] = []
  const key = await service.guest()
  let failures = 1
  const flaky: typeof fetch = async (...given) =>
    failures-- > 0
      ? new Response('', { status: 503, headers: { 'retry-after': '0' } })
      : await fetch(...given)
  const debugged = createClient({
    baseUrl: service.url,
    apiKey: key,
    fetch: flaky,
    debug: (event) => events.push(event),
  })
  await debugged.economicsUtilityLog({ wealth: 1 })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['request', 'reply', 'retry', 'request', 'reply'],
  )
  assert.ok(!JSON.stringify(events).includes(key))
  const silent = createClient({
    baseUrl: 'http://127.0.0.1:1',
    retries: 0,
    debug: (event) => events.push(event),
  })
  await assert.rejects(silent.healthz(), ConnectionError)
  assert.deepEqual(
    events.slice(5).map((event) => [event.type, 'code' in event && event.code]),
    [
      ['request', false],
      ['failure', 'network'],
    ],
  )
})

test('address and key come from the environment where they are not given', async () => {
  process.env.QUANTD_URL = service.url
  process.env.QUANTD_API_KEY = await service.guest()
  try {
    assert.equal((await createClient().userProfile()).account_type, 'guest')
  } finally {
    delete process.env.QUANTD_URL
    delete process.env.QUANTD_API_KEY
  }
  assert.throws(() => createClient(), /pass baseUrl, or set QUANTD_URL/)
  for (const baseUrl of ['127.0.0.1:8080', 'localhost:8080', 'ftp://host', '//host', 'http://'])
    assert.throws(() => createClient({ baseUrl }), /must begin with http:\/\/ or https:\/\//, baseUrl)
  for (const baseUrl of ['http://ada:secret@host', 'http://host/?a=1', 'https://host/#a'])
    assert.throws(() => createClient({ baseUrl }), /must have no user name, query or fragment/, baseUrl)
  for (const apiKey of ['', 'qd_user_ä', 'qd_user\n_x'])
    assert.throws(
      () => createClient({ baseUrl: 'http://host', apiKey }),
      ({ message }) => message.includes('API key') && !message.includes('qd_'),
    )
})

test('a rating history gives the counts that migration takes', async () => {
  const history = await client.mlCreditRatingHistory({
    entities: ['Alfa', 'Beta', 'Alfa', 'Beta', 'Ceres'],
    dates: ['2019-12-31', '2019-12-31', '2020-06-30', '2021-09-15', '2020-03-31'],
    ratings: ['A', 'B', 'B', 'D', 'A'],
    order: ['A', 'B', 'D'],
    start: '2019-12-31',
    end: '2021-12-31',
  })
  assert.deepEqual(history.ratings, ['A', 'B', 'D'])
  assert.deepEqual(history.transitions, [
    [1, 1, 0],
    [0, 2, 1],
    [0, 0, 0],
  ])
  const { transition_matrix } = await client.mlCreditMigration({
    transitions: history.transitions,
    periods: 1,
  })
  assert.deepEqual(transition_matrix, [
    [0.5, 0.5, 0],
    [0, 2 / 3, 1 / 3],
    [0, 0, 1],
  ])
})
