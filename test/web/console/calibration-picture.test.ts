/** The expiries of a calibration have the dates of the table, where a column of dates proves them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesOf } from '../../../src/web/console/kernels/calibration.ts'

const day = (text: string) => Date.parse(text)
const smiles = [
  { maturity: 0.1, quotes: [0, 1] },
  { maturity: 0.35, quotes: [2, 3] },
  { maturity: 1.1, quotes: [4] },
]
const column = (...texts: string[]) => {
  const dates = texts.map(day)
  return (quote: number) => dates[quote]
}
const [june, september, july] = ['2027-06-18', '2027-09-17', '2028-06-16']

test('dates that are as far apart as the times to maturity name the expiries', () => {
  const dates = datesOf(smiles, column(june, june, september, september, july))
  assert.deepEqual(dates, [day(june), day(september), day(july)])
})

test('dates of trades, or dates that differ within an expiry, name none', () => {
  assert.equal(datesOf(smiles, column(june, june, june, june, june)), null)
  assert.equal(datesOf(smiles, column(june, september, september, september, july)), null)
  assert.equal(
    datesOf(smiles, column('2027-06-18', '2027-06-18', '2027-06-25', '2027-06-25', '2027-07-02')),
    null,
  )
})
