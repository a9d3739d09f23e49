/** Measured figures in documents come from the kept results; `npm test -- generated` checks those of the documents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparison, withFigures } from '../../bench/figures.ts'

test('a marked figure is replaced by the measured one, and the text around it stays', () => {
  const document = 'It serves <!-- figure: sqlite-calls -->1 | 2<!-- end --> at most.'
  assert.match(
    withFigures(document),
    /^It serves <!-- figure: sqlite-calls -->\d[\d,]*<!-- end --> at most\.$/,
  )
})

test('an unknown figure is an error', () => {
  assert.throws(() => withFigures('<!-- figure: wishes --><!-- end -->'), /unknown figure wishes/)
})

test('a comparison says where the other program was not measured', () => {
  const ours = { unit: 'requests/s', rounds: [1_000, 3_000, 2_000] }
  const row = { id: 'a', work: 'calls', against: 'another service', goal: null, unit: '×', ours } as const
  assert.deepEqual(comparison({ ...row, measured: null, theirs: null }, 'another'), [
    '2,000 requests/s',
    'another',
    'not measured',
    'not measured',
  ])
})
