/** No body may ever give an error of another kind than a refusal, or a number that is not finite. The fuzzer sends such bodies over HTTP. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../src/catalogue/index.ts'
import { compileOperation } from '../../src/compute/computation.ts'
import { Failure } from '../../src/failure.ts'
import odd from '../support/odd.json' with { type: 'json' }

const RUNS = Number(process.env.QUANTD_TEST_RUNS ?? 400)

/** Values that break things, as JSON text: some of them no JSON at all. */
const oddities = [...odd.values, ...odd.invalidValues, ...odd.lists]

interface Mutation {
  readonly kind: 'replace' | 'remove' | 'add' | 'element' | 'nest' | 'duplicate' | 'cut'
  readonly at: number
  readonly oddity: string
}

const mutations = fc.array(
  fc.record<Mutation>({
    kind: fc.constantFrom(
      'replace',
      'replace',
      'replace',
      'remove',
      'add',
      'element',
      'nest',
      'duplicate',
      'cut',
    ),
    at: fc.nat(),
    oddity: fc.oneof(
      fc.constantFrom(...oddities),
      fc.double().map((value) => JSON.stringify(value)),
      fc.integer().map(String),
    ),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Fields as JSON texts, so that what no JavaScript value can hold survives. */
function mutate(example: object, steps: readonly Mutation[]): string {
  const fields = Object.entries(example).map(
    ([name, value]) => [name, JSON.stringify(value)] as [string, string],
  )
  let cut = Number.POSITIVE_INFINITY
  for (const { at, kind, oddity } of steps) {
    const field = fields[at % Math.max(1, fields.length)]
    if (kind === 'add' || field === undefined)
      fields.push([['__proto__', 'constructor', 'x', ''][at % 4], oddity])
    else if (kind === 'replace') field[1] = oddity
    else if (kind === 'remove') fields.splice(at % fields.length, 1)
    else if (kind === 'duplicate') fields.push([field[0], oddity])
    else if (kind === 'nest') field[1] = '['.repeat(at % 40) + field[1] + ']'.repeat(at % 40)
    else if (kind === 'element') field[1] = replaceNumber(field[1], at, oddity)
    else cut = at % 200
  }
  return `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`.slice(0, cut)
}

function replaceNumber(text: string, at: number, oddity: string): string {
  const numbers = [...text.matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/g)]
  const found = numbers[at % Math.max(1, numbers.length)]
  return found === undefined
    ? text
    : text.slice(0, found.index) + oddity + text.slice(found.index + found[0].length)
}

function assertFinite(value: unknown): void {
  if (Array.isArray(value)) value.forEach(assertFinite)
  else if (value !== null && typeof value === 'object') Object.values(value).forEach(assertFinite)
  else assert.ok(value !== null && (typeof value !== 'number' || Number.isFinite(value)), String(value))
}

describe('mutated bodies', () => {
  for (const operation of operations) {
    it(`give ${operation.path} a finite answer or a refusal that names the fault`, () => {
      const { read } = compileOperation(operation)
      let answered = 0
      fc.assert(
        fc.property(mutations, (steps) => {
          const work = read(Buffer.from(mutate(operation.example.input, steps)))
          const answer = work instanceof Failure ? work : work.run()
          if (answer instanceof Failure)
            return assert.ok(['invalid_json', 'invalid_input'].includes(answer.code))
          answered += 1
          assertFinite(JSON.parse(answer.pieces.join('')))
          assert.ok(!answer.pieces.join('').includes('null'))
        }),
        { numRuns: 10 * RUNS },
      )
      assert.ok(
        answered > RUNS / 100,
        `${answered} bodies were answered: the mutations must leave some valid`,
      )
    })
  }
})
