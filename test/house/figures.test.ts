/** Measured figures in documents come from the kept results; `npm test -- generated` checks those of the documents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFigures } from '../../bench/figures.ts'

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
