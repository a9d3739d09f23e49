/** Forests that are kept as text: the same scores as the single request, attributions that sum up, and texts that are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isolationForestFitOperation,
  isolationForestOperation,
  isolationForestScoreOperation,
} from '../../../src/compute/catalogue/clustering/isolation-forest.ts'
import { crc32, MAX_SAMPLED, readModel } from '../../../src/numerics/forest/forest-model.ts'
import { averagePaths } from '../../../src/numerics/forest/forest-scores.ts'
import { cpuTime } from '../../support/time-taken.ts'
import { answer, assertRefused } from '../answer.ts'

const scoreNamed = (model: string, X: number[][], columns: string[]) =>
  answer(isolationForestScoreOperation, { model, X, columns, attributions: true })
const fit = (request: Parameters<typeof isolationForestFitOperation.compute>[0] | object) =>
  answer(isolationForestFitOperation, request as { X: number[][] })
const score = (model: string, X: number[][], attributions = true) =>
  answer(isolationForestScoreOperation, { model, X, attributions })

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
const tableOf = (columns: number) =>
  fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 40 })
const request = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc.record({
    X: tableOf(columns),
    others: tableOf(columns),
    n_trees: fc.integer({ min: 1, max: 12 }),
    contamination: fc.double({ min: 0, max: 0.5, noNaN: true }),
    random_state: fc.maxSafeInteger(),
  }),
)
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

test('a kept forest gives the rows it was fitted to what the single request gives them, to the last bit', () => {
  fc.assert(
    fc.property(request, ({ others, ...given }) => {
      const { threshold, ...wanted } = answer(isolationForestOperation, given)
      const kept = fit(given)
      assert.equal(kept.threshold, threshold)
      assert.deepEqual(score(kept.model, given.X, false), wanted)
      assert.deepEqual(fit(given), kept)
      assert.equal(score(kept.model, others).anomaly_scores.length, others.length)
    }),
  )
})

test('the attributions of a row are not negative and sum to its mean path length', () => {
  fc.assert(
    fc.property(request, fc.integer({ min: 2, max: 40 }), ({ others, ...given }, max_samples) => {
      const { model } = fit({ ...given, max_samples })
      const { anomaly_scores, attributions } = score(model, [...given.X, ...others])
      const size = Math.min(max_samples, given.X.length)
      anomaly_scores.forEach((one, row) => {
        assert.ok(attributions?.[row].every((part) => part >= 0))
        const mean = -Math.log2(one) * averagePaths(size)[size]
        assert.ok(Math.abs(sum(attributions?.[row] ?? []) - mean) <= 1e-12 * (size === 1 ? 0 : 1))
      })
    }),
  )
})

test('the column that sets a row apart has most of its path', () => {
  const X = Array.from({ length: 200 }, (_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i)])
  const rows = [...X, [0, 9, 0]]
  const { attributions = [], anomaly_scores } = score(fit({ X: rows }).model, rows)
  const share = (row: number[]) => row[1] / sum(row)
  assert.equal(anomaly_scores.indexOf(Math.max(...anomaly_scores)), 200)
  assert.ok(share(attributions[200]) > 0.55, `${share(attributions[200])}`)
  assert.ok(sum(attributions.slice(0, 200).map(share)) / 200 < 0.4)
})

test('samples of more rows give longer texts, up to the rows there are', () => {
  const X = Array.from({ length: 700 }, (_, i) => [Math.sin(i), Math.cos(3 * i)])
  const lengths = [8, 64, 256, 700, 65_536].map(
    (max_samples) => fit({ X, n_trees: 5, max_samples }).model.length,
  )
  assert.ok(lengths.every((length, i) => i === 0 || length >= lengths[i - 1]) && lengths[2] > 4 * lengths[0])
  assert.equal(lengths[3], lengths[4])
  assert.equal(fit({ X, n_trees: 5 }).model.length, lengths[2])
  assertRefused('samples', () => fit({ X, n_trees: 1_000, max_samples: 700 }))
})

const X = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(3 * i)])
const { model } = fit({ X, n_trees: 4 })
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
/** The model with changed bytes and the right checksum. */
const forged = (change: (bytes: Uint8Array, view: DataView) => Uint8Array | undefined) => {
  const bytes = bytesOf(model).slice(0, -4)
  return sealed(change(bytes, new DataView(bytes.buffer)) ?? bytes)
}
/** The text of the bytes and their checksum. */
const sealed = (body: Uint8Array) => {
  const bytes = new Uint8Array(body.length + 4)
  bytes.set(body)
  new DataView(bytes.buffer).setUint32(body.length, crc32(body), true)
  return textOf(bytes)
}
const refused = (text: string) => assertRefused('model', () => readModel(text))

test('each text in which one character differs, is missing or stands twice is refused', () => {
  readModel(model)
  for (let at = 0; at < model.length; at++) {
    const [before, own, after] = [model.slice(0, at), model[at], model.slice(at + 1)]
    refused(before + (own === 'A' ? 'B' : 'A') + after)
    refused(before + after)
    refused(before + own + own + after)
  }
  for (const text of [
    'A',
    ' ',
    'UUlG',
    `${model}=`,
    ` ${model}`,
    model.slice(0, 28),
    model.slice(0, 31),
    'é'.repeat(80),
  ])
    refused(text)
})

test('a text with the right checksum is refused unless a fit may have written it, and is scored otherwise', () => {
  assert.equal(
    forged(() => undefined),
    model,
  )
  assert.throws(() => readModel(forged((_, view) => view.setUint8(3, 3) as undefined)), /format 3/)
  refused(forged((bytes) => bytes.slice(0, -1)))
  refused(forged((bytes) => Uint8Array.of(...bytes, 0)))
  refused(forged((_, view) => view.setUint16(4, 1, true) as undefined))
  refused(forged((_, view) => view.setUint16(6, 0, true) as undefined))
  refused(forged((_, view) => view.setUint16(6, 5, true) as undefined))
  refused(forged((_, view) => view.setUint32(8, 31, true) as undefined))
  refused(forged((_, view) => view.setUint32(8, 2 ** 32 - 1, true) as undefined))
  refused(forged((_, view) => view.setFloat64(12, NaN, true) as undefined))
  refused(forged((_, view) => view.setFloat64(21, Infinity, true) as undefined))
  const edit = fc.tuple(
    fc.integer({ min: 6, max: bytesOf(model).length - 5 }),
    fc.integer({ min: 0, max: 255 }),
  )
  let scored = 0
  const property = fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
    const text = forged((bytes) => {
      for (const [at, byte] of edits) bytes[at] = byte
      return undefined
    })
    try {
      readModel(text)
    } catch (error) {
      assert.equal((error as Error).name, 'DomainError')
      return
    }
    scored++
    assert.ok(score(text, X).anomaly_scores.every((one) => one > 0 && one <= 1))
  })
  fc.assert(property, { numRuns: 500 })
  assert.ok(scored > 20 && scored < 480, `${scored} of them`)
})

test('the largest forest that a short text can claim takes the memory and time that its estimate has', () => {
  const claims = (trees: number, sampleSize: number) =>
    forged(() => {
      const claimed = sampleSize
      const bytes: number[] = []
      for (let rest = claimed; ; rest >>>= 7) {
        bytes.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80)
        if (rest < 0x80) break
      }
      const one = [0, ...bytes]
      const body = new Uint8Array(20 + trees * one.length)
      body.set(bytesOf(model).slice(0, 20))
      const view = new DataView(body.buffer)
      view.setUint16(6, trees, true)
      view.setUint32(8, sampleSize, true)
      for (let tree = 0; tree < trees; tree++) body.set(one, 20 + tree * one.length)
      return body
    })
  for (const [trees, sampleSize] of [
    [1, MAX_SAMPLED],
    [7, 65_536],
    [1_000, 500],
  ]) {
    const text = claims(trees, sampleSize)
    const input = { model: text, X: [[1, 2]], attributions: true, columns: [] }
    const run = () => isolationForestScoreOperation.compute(input)
    const milliseconds = Math.min(cpuTime(run), cpuTime(run))
    assert.ok(
      milliseconds < (4 * isolationForestScoreOperation.work(input)) / 1_000,
      `${trees} trees: ${milliseconds} ms`,
    )
  }
  refused(claims(1, MAX_SAMPLED + 1))
  refused(claims(1_000, 501))
})

const named = { X, n_trees: 4, columns: ['b', 'Größe, m²'] }

test('a model keeps the names of its columns, and finds the columns of later rows by name', () => {
  const order = fc.integer({ min: 1, max: 6 }).chain((columns) =>
    fc.record({
      X: tableOf(columns),
      names: fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 12 }), {
        minLength: columns,
        maxLength: columns,
      }),
      order: fc.shuffledSubarray([...Array(columns).keys()], { minLength: columns }),
    }),
  )
  fc.assert(
    fc.property(order, ({ X, names, order }) => {
      const { model } = fit({ X, n_trees: 5, columns: names })
      const wanted = scoreNamed(model, X, names)
      const permuted = order.map((place) => names[place])
      const found = scoreNamed(
        model,
        X.map((row) => order.map((place) => row[place])),
        permuted,
      )
      assert.deepEqual(readModel(model).names, names)
      assert.deepEqual(found.anomaly_scores, wanted.anomaly_scores)
      assert.deepEqual(found.predictions, wanted.predictions)
      found.attributions?.forEach((row, i) => {
        row.forEach((share, at) => {
          assert.ok(Math.abs(share - wanted.attributions![i][order[at]]) <= 1e-9)
        })
      })
      // Without names, rows are taken by position; the names change nothing else.
      assert.deepEqual(score(model, X), wanted)
      assert.deepEqual(score(fit({ X, n_trees: 5 }).model, X), wanted)
    }),
    { numRuns: 50 },
  )
})

test('other names than those of the fit are refused, and the message lists them', () => {
  const { model } = fit(named)
  const refusal = (columns: string[]) => () => scoreNamed(model, X, columns)
  assert.throws(refusal(['a', 'b']), /\{model\} was fitted to: lacks "Größe, m²", has also "a"$/)
  assert.throws(refusal(['a', 'c']), /lacks "b", "Größe, m²", has also "a", "c"$/)
  assert.throws(refusal(['b', 'b']), /names "b" twice/)
  for (const columns of [['b'], ['b', 'Größe, m²', 'c']]) assertRefused('columns', refusal(columns))
  assertRefused('columns', () => fit({ ...named, columns: ['b'] }))
  for (const columns of [
    ['b', 'b'],
    ['b', '\ud800'],
  ])
    assertRefused('columns', () => fit({ ...named, columns }))
})

test('a model without names has the text that earlier versions gave it, and takes columns of any names by position', () => {
  const unnamed = fit({ X, n_trees: 4 }).model
  assert.equal(bytesOf(unnamed)[3], 1)
  assert.deepEqual(scoreNamed(unnamed, X, ['p', 'q']), score(unnamed, X))
})

test('a model whose names are damaged is refused even with the right checksum', () => {
  const bytes = bytesOf(fit(named).model).slice(0, -4)
  const edited = (at: number, byte: number) => sealed(Object.assign(bytes.slice(), { [at]: byte }))
  assert.deepEqual(readModel(sealed(bytes)).names, named.columns)
  // The names begin at byte 20: the length of the first, its bytes, the length of the second.
  refused(edited(20, 2))
  refused(edited(20, 255))
  refused(edited(21, 0xff))
  refused(edited(22, 0))
  refused(sealed(bytes.slice(0, 23)))
  refused(sealed(Uint8Array.of(...bytes.slice(0, 20), 1, 98, 1, 98, ...bytes.slice(35))))
})

test('rows with other columns than those of the fit are refused', () => {
  assertRefused('X', () => score(model, [[1]]))
  assertRefused('X', () => score(model, [[1, 2, 3]]))
})
