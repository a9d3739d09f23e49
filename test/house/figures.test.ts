/** Measured figures in documents come from the kept results. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withFigures } from '../../bench/figures.ts'

const QUOTING = [
  ...['README.md', 'docs/performance.md', 'docs/scale.md'],
  ...['docs/how-to/connect-ai-clients.md', 'docs/how-to/use-python.md'],
]
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

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

for (const path of QUOTING)
  test(`the figures in ${path} are the measured ones`, () => {
    assert.match(textOf(path), /<!-- figure: /)
    assert.equal(withFigures(textOf(path)), textOf(path), 'run: npm run generate')
  })
