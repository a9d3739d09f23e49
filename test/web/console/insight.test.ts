/** Pages of prices: scenarios and curves are those of the answer, units are said, and links restore inputs and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { type Form, forms } from '../../../src/derive/forms.ts'
import { sources } from '../../../src/derive/sources.ts'
import { chooseUnit, inUnit, labelWithUnit, quantity } from '../../../src/web/console/greek-units.ts'
import { blackScholes } from '../../../src/web/console/kernels/options.ts'
import {
  americanOption,
  forwardOption,
  varianceGammaOption,
} from '../../../src/web/console/kernels/price-models.ts'
import { placesOf, requestOfGrid, scenarioGrid } from '../../../src/web/console/kernels/scenarios.ts'
import { addressOf, readValues, valuesIn } from '../../../src/web/console/link.ts'
import { between, varianceGamma } from './option-inputs.ts'

const all = forms(sources)
const formOf = (path: string): Form => all.find((form) => form.path === path)!

/** The value of a generator that runs to its end. */
function finished(steps: Generator) {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const option = fc.record({
  spot: between(50, 150),
  strike: between(50, 150),
  risk_free_rate: between(-0.02, 0.1),
  volatility: between(0.02, 0.8),
  time_to_maturity: between(0.05, 3),
  dividend_yield: between(0, 0.08),
  option_type: fc.constantFrom('call', 'put'),
})
const onForward = fc
  .record({
    forward: between(-150, 150),
    strike: between(-150, 150),
    risk_free_rate: between(-0.02, 0.1),
    volatility: between(0.02, 80),
    time_to_maturity: between(0.05, 3),
    option_type: fc.constantFrom('call', 'put'),
  })
  .map((values) => ({ ...values, model: 'bachelier' }))
const varianceGammaCall = fc.record(varianceGamma)

/** Per page of prices: its model, requests, the name of its price in the reply, and how many examples are quick. */
const pages = [
  ['/quantlib/pricing/bs/price', blackScholes, option, 'price', 30],
  ['/quantlib/pricing/american/price', americanOption, option, 'price', 3],
  ['/quantlib/pricing/forward/price', forwardOption, onForward, 'price', 30],
  ['/quantlib/models/variance-gamma/price', varianceGammaOption, varianceGammaCall, 'vg_call_price', 5],
  [
    '/quantlib/models/variance-gamma/greeks',
    varianceGammaOption,
    varianceGammaCall.chain((values) =>
      fc.record({
        ...Object.fromEntries(Object.entries(values).map(([name, one]) => [name, fc.constant(one)])),
        option_type: fc.constantFrom('call', 'put'),
      }),
    ),
    'price',
    3,
  ],
] as const

for (const [path, model, requests, priceName, numRuns] of pages) {
  /** null: refused, as some are between values that are not. */
  const answer = (values: object): Record<string, number> | null => {
    try {
      return operations.find((operation) => operation.path === path)!.compute(values as never) as never
    } catch {
      return null
    }
  }
  const priced = (values: object) => answer(values)?.[priceName] ?? null

  test(`each price of the scenario grid is the answer of ${path}, and the middle one that of the page`, () => {
    fc.assert(
      fc.property(requests as fc.Arbitrary<Record<string, number>>, (values) => {
        const { spots, volatilities, prices, base } = finished(scenarioGrid(model, values))
        assert.equal(base, priced(values))
        const { spot, volatility } = model.fields
        for (const [row, one] of volatilities.entries())
          for (const [column, at] of spots.entries()) {
            const wanted = one < 0 ? null : priced({ ...values, [spot]: at, [volatility]: one })
            assert.equal(prices[row][column], wanted, `${at} and ${one}`)
          }
        const { columns } = requestOfGrid(model, { values, spots, volatilities })
        const asked = columns[volatility].filter((one: number) => one >= 0).length
        assert.deepEqual(
          [columns[spot].length, asked],
          [columns[volatility].length, columns[volatility].length],
        )
      }),
      { numRuns },
    )
  })
}

test('the volatility of the Bachelier model has an axis in the unit of the forward', () => {
  const fields = { spot: 'forward', strike: 'strike', volatility: 'volatility', maturity: 'time_to_maturity' }
  const widest = (values: object) =>
    placesOf({ fields, places: 5 }, { model: 'bachelier', time_to_maturity: 1, ...values }, 'volatility').at(
      -1,
    )
  assert.equal(widest({ forward: 0.02, strike: 0.025, volatility: 0.006 }), 0.012)
  assert.equal(widest({ forward: -3, strike: 0, volatility: 0 }), 0.1 * 3)
  assert.equal(widest({ forward: 0, strike: 0, volatility: 0 }), 1)
})

test('an axis rises also around numbers that doubles hardly hold', () => {
  const fields = { spot: 'spot', strike: 'strike', volatility: 'volatility', maturity: 'maturity' }
  const values = { spot: 5e-324, strike: 5e-324, volatility: 0, maturity: 1, model: 'bachelier' }
  for (const axis of ['spot', 'strike', 'volatility', 'maturity'] as const) {
    const places: number[] = placesOf({ fields, places: 5 }, values, axis)
    assert.ok(
      places.every((place, i) => place > (places[i - 1] ?? Number.NEGATIVE_INFINITY)),
      axis,
    )
  }
})

test('a unit that is chosen holds for the number, its heading and its axis; without a choice they are those of the service', () => {
  assert.deepEqual(quantity('vega', 39.67), { name: 'vega', label: 'Vega', value: 39.67, unit: 'per 1.00' })
  chooseUnit('volatility', 'point')
  chooseUnit('time', 'day')
  assert.deepEqual(quantity('vega', 39.67), {
    name: 'vega',
    label: 'Vega',
    value: 39.67 / 100,
    unit: 'per point',
  })
  assert.equal(inUnit('rho', 46), 0.46)
  assert.equal(inUnit('d_sigma', 46), 0.46)
  assert.equal(inUnit('theta', -365), -1)
  assert.equal(inUnit('delta', 0.5), 0.5)
  assert.equal(inUnit('constructor', 3), 3)
  assert.equal(labelWithUnit('theta', { isShort: true }), 'Theta, per calendar day')
  assert.equal(labelWithUnit('price', { isShort: true }), 'Price')
  chooseUnit('volatility', 'one')
  chooseUnit('time', 'year')
  assert.equal(inUnit('theta', -365), -365)
})

const queryOf = (address: string) => address.slice(address.indexOf('?') + 1)

test('a link restores the inputs of each operation, whatever they are', () => {
  for (const form of all) {
    const isRows = form.path.endsWith('/columns')
    const inputs = Object.fromEntries(
      form.fields.filter(({ example }) => example !== null).map(({ example, name }) => [name, example]),
    )
    const body = isRows ? { columns: inputs } : inputs
    assert.deepEqual(
      valuesIn(form, queryOf(addressOf(form.path, body))),
      { given: body, fault: null },
      form.path,
    )
  }
  fc.assert(
    fc.property(option, (values) => {
      const form = formOf('/quantlib/pricing/bs/price')
      assert.deepEqual({ ...valuesIn(form, queryOf(addressOf(form.path, values))).given }, { ...values })
    }),
  )
})

test('a hostile link gives values that fit their fields, says what it leaves out, and never throws', () => {
  const form = formOf('/quantlib/pricing/bs/price')
  const isFit = ({ kind, choices }: Form['fields'][number], value: unknown) =>
    kind === 'number' ? typeof value === 'number' : choices.includes(value)
  const hostile = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom('spot', 'option_type', '__proto__', 'api_key', 'toString'), fc.jsonValue())
      .map((one) => JSON.stringify(one)),
  )
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, isEncoded) => {
      const { given, fault } = valuesIn(form, `body=${isEncoded ? encodeURIComponent(text) : text}`)
      if (given === null) return assert.match(fault!, /link/)
      for (const [name, value] of Object.entries(given)) {
        const field = form.fields.find((one) => one.name === name)
        assert.ok(field !== undefined && isFit(field, value), `${name}: ${value}`)
      }
    }),
  )
  const read = valuesIn(
    form,
    `body=${encodeURIComponent('{"spot":"<b>","strike":[1],"volatility":0.3,"api_key":"x","__proto__":{"spot":1}}')}`,
  )
  assert.deepEqual({ ...read.given }, { volatility: 0.3 })
  assert.equal(read.fault, 'Left out of this link: Spot price, Strike price, 2 unknown fields.')
  assert.match(valuesIn(form, `body=${'1'.repeat(200_000)}`).fault!, /too long/)
  assert.deepEqual(valuesIn(form, ''), { given: null, fault: null })
  assert.deepEqual(readValues(form, { spot: 1 }), { values: { spot: 1 }, fault: null })
})
