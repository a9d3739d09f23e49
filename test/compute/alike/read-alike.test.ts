/** Calls of a batch that follow a pattern are read without JSON.parse, with the same outcome. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../../src/catalogue/index.ts'
import { alikeReader } from '../../../src/compute/alike/read-alike.ts'
import { batchComputation } from '../../../src/compute/batch.ts'
import { compileOperation, factsOf } from '../../../src/compute/computation.ts'
import { Failure } from '../../../src/errors.ts'

const single = new Map(operations.map((operation) => [operation.path as string, compileOperation(operation)]))
const batch = batchComputation(single)
const readAlike = alikeReader(single)
/** Enough for bodies to be worth a pattern. */
const CALLS = 60
const BLACK_SCHOLES = operations.find(({ path }) => path.endsWith('/bs/price'))!
const EXAMPLE = JSON.stringify(BLACK_SCHOLES.example.input)

const callText = (path: string, body: string) => `{"path":${JSON.stringify(path)},"body":${body}}`
const batchText = (calls: readonly string[]) => `{"calls":[${calls.join(',')}]}`
const isReadAlike = (text: string) => readAlike(Buffer.from(text)) !== null

/** The results of a batch, or the code of its refusal. */
function answer(text: string): unknown {
  const job = batch.read(Buffer.from(text))
  const result = job instanceof Failure ? job : job.run()
  return result instanceof Failure ? { refused: result.code } : JSON.parse(result.pieces.join('')).results
}

/** The results of its calls, sent one by one. */
function answersAlone(text: string): unknown {
  let calls: { path: string; body: object }[]
  try {
    calls = JSON.parse(text).calls
  } catch {
    return { refused: 'invalid_json' }
  }
  return calls.map(({ body, path }) => {
    const job = single.get(path)!.read(Buffer.from(JSON.stringify(body).replaceAll('null', '1e999')))
    const result = job instanceof Failure ? job : job.run()
    return result instanceof Failure
      ? failure(result)
      : { success: true, data: JSON.parse(result.pieces.join('')) }
  })
}

const failure = ({ code, details, message }: Failure) => ({
  success: false,
  message,
  error: { code, ...(details.length > 0 && { details }) },
})

/** Numbers, and what stands in their place where a client errs. */
const ordinary = fc.oneof(
  fc.double({ min: -1e3, max: 1e3, noNaN: true }).map((x) => JSON.stringify(x)),
  fc.integer({ min: -10, max: 500 }).map(String),
  fc.constantFrom(
    '-0',
    '1e-7',
    '2E+2',
    '0.30000000000000004',
    '12345678901234567890',
    '1e308',
    '1e999',
    '5e-324',
  ),
)
const odd = fc.constantFrom(
  '"1"',
  'true',
  '[1]',
  '{}',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  '1e',
  '',
  '"\\u0041"',
  '"é"',
)

/** Longer than what a body may open with if its calls are to be read another way; in JSON it means nothing. */
const PADDING = ' '.repeat(120)

/** All that becomes of a body: how it is refused, or its cost and estimate, and its answer to the byte. */
function outcome(bytes: Buffer): unknown {
  const job = batch.read(bytes)
  if (job instanceof Failure) return factsOf(job)
  const { cost, micros } = job
  const answer = job.run()
  assert(!(answer instanceof Failure))
  const { credits, parts, pieces } = answer
  return { cost, micros, data: pieces.join(''), credits, parts }
}

/** The same where the body is parsed as a whole. */
function outcomeOfWhole(bytes: Buffer): unknown {
  const padded = Buffer.concat([Buffer.from(PADDING), bytes])
  assert.equal(readAlike(padded), null)
  const whole = outcome(padded) as { message?: string }
  const message = whole.message?.replace(/line 1, column (\d+)/, (_, column) => {
    return `line 1, column ${column - PADDING.length}`
  })
  return message === undefined ? whole : { ...whole, message }
}

/** Bytes of which JSON, numbers and names are made, and some that stand in none. */
const byte = fc.oneof(
  fc.constantFrom(...Buffer.from('0123456789.eE+-,:"{}[]\\ \n\tabcnulltrue')),
  fc.constantFrom(0x00, 0x7f, 0x80, 0xc3, 0xa9, 0xff),
)
/** A change of a body: text that replaces `removed` bytes at a relative position. */
const change = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 3 }),
  put: fc.oneof(
    { weight: 3, arbitrary: fc.array(byte, { maxLength: 3 }).map((bytes) => Buffer.from(bytes)) },
    ordinary.map((text) => Buffer.from(text)),
    fc
      .constantFrom(
        '"__proto__":1,',
        '"constructor":{},',
        '"strike":7,',
        '"path":"x",',
        '"option_type":"put",',
        '"calls":[],',
        'null',
        '[[[[',
      )
      .map((text) => Buffer.from(text)),
  ),
})
type Change = { readonly share: number; readonly removed: number; readonly put: Buffer }

function changed(bytes: Buffer, changes: readonly Change[], isPlace: (byte: number) => boolean): Buffer {
  return changes.reduce((body, { put, removed, share }) => {
    let start = Math.floor(share * body.length)
    while (start < body.length && !isPlace(body[start]!)) start += 1
    return Buffer.concat([body.subarray(0, start), put, body.subarray(start + removed)])
  }, bytes)
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

describe('calls of a batch that look alike', () => {
  it('are told apart from others', () => {
    const alike = Array(CALLS).fill(callText(BLACK_SCHOLES.path, EXAMPLE))
    assert.ok(isReadAlike(batchText(alike)))
    assert.ok(isReadAlike(` { "calls" : [ ${alike.join(' ,\n')} ] }\n`))
    assert.ok(!isReadAlike(batchText(alike.slice(0, 3))), 'too few to be worth it')
    const others = [
      callText('/quantlib/nothing/there', EXAMPLE),
      callText(BLACK_SCHOLES.path, '{}'),
      callText(BLACK_SCHOLES.path, EXAMPLE.replace('{', '{"volatilty":1,')),
      callText(BLACK_SCHOLES.path, EXAMPLE.replace('{', '{"__proto__":1,')),
      callText(BLACK_SCHOLES.path, EXAMPLE.replace('{', '{"strike":1,')),
      callText(BLACK_SCHOLES.path, EXAMPLE).replace('{', '{"more":1,'),
      '1',
      '',
    ]
    for (const other of others) assert.ok(!isReadAlike(batchText([...alike, other])), other)
    for (const text of [`${batchText(alike)}x`, batchText(alike).slice(0, -1), `[${batchText(alike)}]`])
      assert.ok(!isReadAlike(text))
    assert.ok(!isReadAlike(batchText(alike).replace(']', '],"more":[]')))
  })

  it('are answered as each would be alone, whatever their numbers', () => {
    const flat = operations.filter(({ example }) =>
      Object.values(example.input).every((value) => typeof value !== 'object'),
    )
    assert.ok(flat.length >= 3)
    let readAnotherWay = 0
    for (const operation of flat) {
      const body = JSON.stringify(operation.example.input)
      const places = body.match(/:-?\d[\d.e+-]*/g)!.length
      const numbers = fc.array(
        fc.array(fc.option(ordinary, { freq: 2 }), { minLength: places, maxLength: places }),
        {
          minLength: CALLS,
          maxLength: CALLS,
        },
      )
      fc.assert(
        fc.property(numbers, fc.option(odd, { freq: 3 }), fc.nat(CALLS - 1), (texts, oddity, where) => {
          const calls = texts.map((own, index) => {
            let place = 0
            return callText(
              operation.path,
              body.replace(/:(-?\d[\d.e+-]*)/g, (_, number) => {
                const text = index === where && place === 0 && oddity !== null ? oddity : own[place]
                place += 1
                return `:${text ?? number}`
              }),
            )
          })
          const text = batchText(calls)
          if (isReadAlike(text)) readAnotherWay += 1
          assert.deepEqual(answer(text), answersAlone(text))
        }),
        { numRuns: 150 },
      )
    }
    assert.ok(readAnotherWay > 100, `only ${readAnotherWay} batches were read by patterns`)
  })

  it('may leave out what has a default, order their fields as they like, and mix operations', () => {
    const bodies = operations
      .filter(({ example }) => Object.values(example.input).every((value) => typeof value !== 'object'))
      .flatMap(({ example, input, path }) => {
        const fields = Object.entries(example.input)
        const needed = fields.filter(([name]) => input.required?.includes(name))
        return [fields, fields.toReversed(), needed].map((own) =>
          callText(path, JSON.stringify(Object.fromEntries(own))),
        )
      })
    // More orders of fields than that are parsed as a whole.
    const text = batchText(Array(10).fill(bodies.slice(0, 16)).flat())
    assert.ok(isReadAlike(text))
    assert.deepEqual(answer(text), answersAlone(text))
  })

  it('are counted and charged by path, in the order of first calls', () => {
    const costs = new Map(
      [...single].map(([path, { operation }], index) => [path, compileOperation(operation, index)]),
    )
    const utility = '/quantlib/economics/utility/log'
    const calls = Array.from({ length: CALLS }, (_, index) =>
      index % 3 === 0
        ? callText(BLACK_SCHOLES.path, EXAMPLE)
        : callText(utility, `{"wealth":${CALLS - 1 - index}}`),
    )
    const text = batchText(calls)
    assert.ok(isReadAlike(text))
    const job = batchComputation(costs).read(Buffer.from(text))
    assert(!(job instanceof Failure))
    const [price, log] = [costs.get(BLACK_SCHOLES.path)!.cost, costs.get(utility)!.cost]
    assert.equal(job.cost, 20 * price + 40 * log)
    const answer = job.run()
    assert(!(answer instanceof Failure))
    // The last wealth is 0: refused, and free.
    assert.deepEqual(JSON.parse(answer.parts!), [
      { path: BLACK_SCHOLES.path, calls: 20, credits: 20 * price },
      { path: utility, calls: 40, credits: 39 * log },
    ])
    assert.equal(answer.credits, 20 * price + 39 * log)
  })

  it('become what they would if the body were parsed as a whole, wherever it is changed', () => {
    const bodies = [fewAtATime(1), fewAtATime(3), fewAtATime(9)]
    let readAnotherWay = 0
    let readAsWhole = 0
    const agree = (bytes: Buffer): void => {
      if (readAlike(bytes) === null) readAsWhole += 1
      else readAnotherWay += 1
      assert.deepEqual(outcome(bytes), outcomeOfWhole(bytes))
    }
    const body = fc.constantFrom(...bodies)
    const changes = fc.array(change, { maxLength: 3 })
    fc.assert(
      fc.property(body, changes, (bytes, changes) => agree(changed(bytes, changes, () => true))),
      { numRuns: 700 },
    )
    // Among the digits most changes leave a number.
    const numeric = fc.record({
      share: change.map(({ share }) => share),
      removed: fc.integer({ min: 0, max: 1 }),
      put: fc.stringMatching(/^[0-9.eE-]{0,2}$/).map((text) => Buffer.from(text)),
    })
    fc.assert(
      fc.property(body, fc.array(numeric, { maxLength: 3 }), (bytes, changes) =>
        agree(changed(bytes, changes, isDigit)),
      ),
      { numRuns: 700 },
    )
    assert.ok(readAnotherWay > 200, `only ${readAnotherWay} bodies were read by patterns`)
    assert.ok(readAsWhole > 200, `only ${readAsWhole} bodies were parsed as a whole`)
  })
})

/** A batch of the operations in turn, so many calls of each at a time. */
function fewAtATime(length: number): Buffer {
  const flat = operations.filter(({ example }) =>
    Object.values(example.input).every((value) => typeof value !== 'object'),
  )
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const { example, path } = flat[Math.floor(index / length) % flat.length]!
    return callText(path, JSON.stringify(example.input))
  })
  return Buffer.from(batchText(calls))
}
