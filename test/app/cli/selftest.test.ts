/** quantd selftest: exact differences, and every reference vector within its tolerance. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorFiles } from '../../../src/app/cli/selftest/vectors.ts'
import { deviation, replay, selftest } from '../../../src/app/cli/selftest.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'

test('differences are exact beyond what doubles can tell', () => {
  assert.deepEqual(deviation(0.5, '1/2'), { absolute: 0, relative: 0 })
  assert.deepEqual(deviation(0, '0.0'), { absolute: 0, relative: 0 })
  assert.equal(deviation(1e-300, '0').relative, Number.POSITIVE_INFINITY)
  const tenth = deviation(0.1, '0.1')
  assert.ok(Math.abs(tenth.absolute - 5.551115123125783e-18) < 1e-30, String(tenth.absolute))
  assert.ok(Math.abs(deviation(3, '2.5e0').relative - 0.2) < 1e-16)
  assert.ok(Math.abs(deviation(-3, '2.5').absolute - 5.5) < 1e-15)
  assert.ok(Math.abs(deviation(5e-324, '1e-323').relative - 0.506) < 0.001)
})

const rows = selftest()

test('every case of every file is replayed and within its tolerance', () => {
  for (const file of vectorFiles) {
    const own = rows.filter((row) => row.file === file.name)
    assert.equal(
      own.reduce((sum, row) => sum + row.cases, 0),
      file.cases.length,
    )
  }
  assert.deepEqual(
    rows.flatMap((row) => row.failures),
    [],
  )
})

test('every operation has reference vectors, and every file is about one', () => {
  const paths = operations.map(({ path }): string => path)
  assert.deepEqual(new Set(vectorFiles.map(({ path }) => path)), new Set(paths))
})

test('a wrong number, a wrong flag and a refusal are out of tolerance', () => {
  const ofFile = (name: string) => {
    const file = vectorFiles.find((one) => one.name === name)!
    const operation = operations.find(({ path }) => path === file.path)!
    const failures = (one: object) =>
      replay({ ...file, cases: [{ ...file.cases[0], ...one }] }, operation)[0].failures.length
    return { good: file.cases[0], failures }
  }
  const { failures, good } = ofFile('variance_gamma')
  assert.equal(failures({}), 0)
  assert.ok(failures({ exact: '10.99370319' }) > 0)
  assert.ok(failures({ input: { ...good.input, S: -1 } }) > 0)
  const flagged = ofFile('outliers')
  const [first, ...others] = flagged.good.expected.outliers as boolean[]
  assert.equal(flagged.failures({}), 0)
  assert.ok(flagged.failures({ expected: { ...flagged.good.expected, outliers: [!first, ...others] } }) > 0)
})
