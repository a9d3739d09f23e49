/** The order of what a search finds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, wordsIn } from '../../../src/web/console/search-score.ts'

const entries = [
  { title: 'Outlier detection', text: 'Rows with a value far from the others; such nonesuch' },
  { title: 'Black–Scholes price', text: 'The price of a European option' },
  { title: 'Price of a plan', text: 'credits' },
]
const found = (text: string) => matches(entries, wordsIn(text)).map(({ title }) => title)

test('every word must occur in the title or begin a word of the text; titles that begin with it come first', () => {
  assert.deepEqual(found('price'), ['Price of a plan', 'Black–Scholes price'])
  assert.deepEqual(found('price option'), ['Black–Scholes price'])
  assert.deepEqual(found('blackscholes'), ['Black–Scholes price'])
  assert.deepEqual(found('other far'), ['Outlier detection'])
  assert.deepEqual(found('price outlier'), [])
})

test('a part within a word of the text is not found, and signs alone are no words', () => {
  assert.deepEqual(found('esuch'), [])
  assert.deepEqual(wordsIn(' – σ  price '), ['price'])
})
