/** Numbers as people enter them are read in the unit of their field, or not at all. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { entered } from '../../../src/web/console/entered.ts'

const readIn = (name: string, text: string, type = 'number') => entered({ name, type }, text).value

test('a rate is read in per cent and basis points, a time from a duration or a date, any number with a comma', () => {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 29, 12) })
  for (const [name, text, value] of [
    ['volatility', '20%', 0.2],
    ['volatility', '20 %', 0.2],
    ['volatility', '12,5%', 0.125],
    ['risk_free_rate', '25bp', 0.0025],
    ['spot', '0,2', 0.2],
    ['spot', '1.234,5', 1234.5],
    ['spot', '1,234.5', 1234.5],
    ['spot', '1 234 567', 1_234_567],
    ['spot', '12,345,678', 12_345_678],
    ['spot', '$160.00', 160],
    ['spot', '−3', -3],
    ['time_to_maturity', '30d', 30 / 365],
    ['time_to_maturity', '6M', 0.5],
    ['T', '1/12', 1 / 12],
    ['T', '2027-06-18', 201 / 365],
    ['T', '18.06.2027', 201 / 365],
    ['T', '06/18/2027', 201 / 365],
    ['T', '18 Jun 2027', 201 / 365],
    ['T', 'June 18, 2027', 201 / 365],
  ] as const)
    assert.equal(readIn(name, text), value, `${name} ${text}`)
  assert.equal(entered({ name: 'T' }, '2027-06-18').note, '2027-06-18, 201 days from today: 0.550685 years')
  assert.equal(entered({ name: 'volatility' }, '20%').note, 'read as 0.2')
  mock.timers.reset()
})

test('what can be read in two ways, or has the unit of another field, is left to the service to refuse', () => {
  for (const [name, text, type] of [
    ['spot', '1,000', 'number'],
    ['spot', '20%', 'number'],
    ['spot', '30d', 'number'],
    ['volatility', '30d', 'number'],
    ['T', '05/06/2027', 'number'],
    ['T', '2027-02-30', 'number'],
    ['T', '1/12/2027x', 'number'],
    ['n_trees', '1.000', 'integer'],
    ['n_trees', '1,5', 'integer'],
    ['spot', 'abc', 'number'],
    ['spot', '1/2/3', 'number'],
    ['spot', '1,5,2', 'number'],
  ] as const)
    assert.equal(readIn(name, text, type), text, `${name} ${text}`)
  assert.equal(entered({ name: 'spot' }, '1,000').note, '“1,000” may be 1.000 or 1000: write it that way.')
  assert.equal(
    entered({ name: 'T' }, '05/06/2027').note,
    '“05/06/2027” may be 2027-06-05 or 2027-05-06: write it that way.',
  )
})

test('a number that is unusual in the unit of its field is taken as it is, and another one is offered', () => {
  assert.deepEqual(entered({ name: 'volatility' }, '20'), {
    value: 20,
    note: '20 is 2,000 %.',
    instead: '20%',
  })
  assert.deepEqual(entered({ name: 'T' }, '90'), { value: 90, note: '90 is 90 years.', instead: '90d' })
  for (const [name, text] of [
    ['volatility', '0.2'],
    ['spot', '20'],
    ['r', '0.05'],
    ['T', '2'],
  ])
    assert.deepEqual(entered({ name }, text), { value: Number(text), note: null })
})
