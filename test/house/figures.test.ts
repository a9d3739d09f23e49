/** Measured figures in documents come from the kept results. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withFigures } from '../../bench/figures.ts'
import { reportFiles } from '../../bench/report.ts'
import { commitOf, kept } from '../../bench/results.ts'

const QUOTING = ['README.md', 'docs/how-to/connect-ai-clients.md', 'docs/scale.md', 'bench/NOTES.md']
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('a marked figure is replaced by the measured one, and the text around it stays', () => {
  const document = 'It settles <!-- figure: settle-commit -->1 | 2<!-- end --> at most.'
  const commit = commitOf(kept('settle'))
  assert.equal(
    withFigures(document),
    `It settles <!-- figure: settle-commit -->${commit}<!-- end --> at most.`,
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

test('docs/performance.md names the commit of every measured part', () => {
  const page = reportFiles().find(({ path }) => path === 'docs/performance.md')!.text
  assert.equal(page, textOf('docs/performance.md'), 'run: npm run generate')
  for (const line of page.split('\n').filter((one) => / \| [≥≤–]/.test(one)))
    assert.match(line, /\| [0-9a-f]{7} \|$/, line)
})
