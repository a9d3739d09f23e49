/** Calls of a batch that look alike are read another way than others, and answered the same. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../src/catalogue/index.ts'
import { hasFailed, type PerformFailure, performer } from '../../src/pipeline/perform.ts'
import { batchPerformer } from '../../src/pipeline/perform-batch.ts'
import { readAlike } from '../../src/pipeline/read-alike.ts'

const single = new Map(operations.map((operation) => [operation.path as string, performer(operation)]))
const batch = batchPerformer(single)
/** Enough for bodies to be worth a pattern. */
const CALLS = 60
const BLACK_SCHOLES = operations.find(({ path }) => path.endsWith('/bs/price'))!
const EXAMPLE = JSON.stringify(BLACK_SCHOLES.example.input)

const callText = (path: string, body: string) => `{"path":${JSON.stringify(path)},"body":${body}}`
const batchText = (calls: readonly string[]) => `{"calls":[${calls.join(',')}]}`
const isReadAlike = (text: string) => readAlike(Buffer.from(text), single) !== null

/** What a batch answers, or how it is refused. */
function answer(text: string): unknown {
  const work = batch.read(Buffer.from(text))
  const result = hasFailed(work) ? work : work.perform()
  return hasFailed(result) ? { refused: result.code } : JSON.parse(result.data).results
}

/** What its calls are answered one by one. */
function answersAlone(text: string): unknown {
  let calls: { path: string; body: object }[]
  try {
    calls = JSON.parse(text).calls
  } catch {
    return { refused: 'invalid_json' }
  }
  return calls.map(({ body, path }) => {
    const work = single.get(path)!.read(Buffer.from(JSON.stringify(body).replaceAll('null', '1e999')))
    const result = hasFailed(work) ? work : work.perform()
    return hasFailed(result) ? failure(result) : { success: true, data: JSON.parse(result.data) }
  })
}

const failure = ({ code, details, message }: PerformFailure) => ({
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
    assert.ok(bodies.length <= 16)
    const text = batchText(Array(10).fill(bodies).flat())
    assert.ok(isReadAlike(text))
    assert.deepEqual(answer(text), answersAlone(text))
  })
})
