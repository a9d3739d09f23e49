/** `quantd selftest`: replays the reference vectors by the code that answers requests, and measures its errors without rounding. */
import { Failure } from '../../base/failure.ts'
import { operations } from '../../compute/catalogue/index.ts'
import type { Operation } from '../../compute/catalogue/operation.ts'
import { compileOperation } from '../../compute/computation.ts'
import { discrimination } from '../../numerics/statistics/discrimination.ts'
import { type Case, type VectorFile, vectorFiles } from './selftest/vectors.ts'

/** A row per family of cases, in the order of the operations. */
export function selftest(): Replayed[] {
  for (const { name, path } of vectorFiles)
    if (!operations.some((operation) => operation.path === path))
      throw new Error(`The vectors ${name}.json are about ${path}, but no operation has this path.`)
  return operations.flatMap((operation) =>
    vectorFiles.filter(({ path }) => path === operation.path).flatMap((file) => replay(file, operation)),
  )
}

/** Prints the table; the exit code tells whether every case is within its tolerance. */
export function selftestCommand(): void {
  const rows = selftest()
  console.log(plainTable(rows))
  if (rows.some((row) => row.failures.length > 0)) process.exitCode = 1
}

export const HEADINGS = ['vectors', 'family', 'cases', 'worst rel. error', 'of tolerance', 'case']

export const cells = (row: Replayed): string[] => [
  row.file,
  row.family,
  String(row.cases),
  row.worstRelative === 0 ? '0' : row.worstRelative.toExponential(1),
  `${row.worstShare < 0.0005 ? '0' : (100 * row.worstShare).toPrecision(2)} %`,
  row.failures.length > 0 ? `OUT OF TOLERANCE: ${row.failures.join(', ')}` : row.worstCase,
]

function plainTable(rows: readonly Replayed[]): string {
  const table = [HEADINGS, ...rows.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((line) => line[column].length)))
  const lines = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n\n${summary(rows)}`
}

export function summary(rows: readonly Replayed[]): string {
  const cases = rows.reduce((sum, row) => sum + row.cases, 0)
  const failures = rows.reduce((sum, row) => sum + row.failures.length, 0)
  return failures === 0
    ? `${cases} cases, all within their tolerance.`
    : `${cases} cases, ${failures} results out of tolerance.`
}

export interface Replayed {
  readonly file: string
  readonly family: string
  readonly cases: number
  /** Largest relative error against the exact values, and the case it is in. */
  readonly worstRelative: number
  readonly worstCase: string
  /** Largest error as a share of what the case tolerates; above 1 is a failure. */
  readonly worstShare: number
  readonly failures: readonly string[]
}

/** One row per family of the file. */
export function replay(file: VectorFile, operation: Operation): Replayed[] {
  const answers = answerer(operation)
  const families = Map.groupBy(file.cases, (one) => one.family ?? 'all')
  return [...families].map(([family, members]) => {
    const findings = members.flatMap((one) => judge(one, answers(one.input), file.result))
    const worst = findings.reduce((a, b) => (b.relative > a.relative ? b : a))
    return {
      file: file.name,
      family,
      cases: members.length,
      worstRelative: worst.relative,
      worstCase: worst.name,
      worstShare: Math.max(...findings.map((finding) => finding.share)),
      failures: findings.filter((finding) => !(finding.share <= 1)).map((finding) => finding.name),
    }
  })
}

type Data = Record<string, unknown>

function answerer(operation: Operation): (input: object) => Data {
  const { read } = compileOperation(operation)
  return (input) => {
    const job = read(Buffer.from(JSON.stringify(input)))
    const result = job instanceof Failure ? job : job.run()
    return result instanceof Failure ? { refused: result } : (JSON.parse(result.pieces.join('')) as Data)
  }
}

interface Finding {
  readonly name: string
  readonly relative: number
  readonly share: number
}

function judge(one: Case, data: Data, result: string | undefined): Finding[] {
  if (one.anomaly !== undefined) return [judgeForest(one, data)]
  const findings = Object.entries(one.expected).flatMap(([field, expected]) => {
    const exact = typeof one.exact === 'object' ? one.exact[field] : field === result ? one.exact : undefined
    return compare(one, data[field], exact ?? expected, Array.isArray(expected) || exact === undefined)
  })
  if (one.fd_exact === undefined) return findings
  // The service promises the finite difference; its distance from the derivative depends on the caller's step.
  const truncation = findings.map((finding) => ({ ...finding, relative: 0 }))
  return [measured(one.name, data.derivative, one.fd_exact, 0, one.fd_abs_tol!), ...truncation]
}

/** Compares numbers within the tolerance of the case, and everything else exactly. @param isPlain whether a text is no number */
function compare(one: Case, got: unknown, wanted: unknown, isPlain: boolean): Finding[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return [wrong(one.name)]
    return wanted.flatMap((item, index) => compare(one, got[index], item, true))
  }
  if (typeof wanted === 'object' && wanted !== null)
    return Object.entries(wanted).flatMap(([field, item]) =>
      compare(one, (got as Data | undefined)?.[field], item, true),
    )
  const isNumber = typeof wanted === 'number' || (typeof wanted === 'string' && !isPlain)
  if (isNumber) return [measured(one.name, got, wanted, one.rel_tol, one.abs_tol)]
  return [got === wanted ? { name: one.name, relative: 0, share: 0 } : wrong(one.name)]
}

function measured(
  name: string,
  got: unknown,
  exact: number | string,
  relativeTolerance: number,
  absoluteTolerance: number,
): Finding {
  if (typeof got !== 'number') return wrong(name)
  const { absolute, relative } = deviation(got, exact)
  if (absolute === 0) return { name, relative: 0, share: 0 }
  const size = Number.isFinite(relative) ? absolute / relative : 0
  const allowed = absoluteTolerance + relativeTolerance * size
  return { name, relative, share: absolute / allowed }
}

/** Judges the amount by which the area under the ROC curve is below scikit-learn's mean. */
function judgeForest(one: Case, data: Data): Finding {
  if (!Array.isArray(data.anomaly_scores)) return wrong(one.name)
  const { auc } = discrimination(Uint8Array.from(one.anomaly!), Float64Array.from(data.anomaly_scores))
  const below = Math.max(0, one.sklearn_auroc_mean! - auc)
  return { name: one.name, relative: below / one.sklearn_auroc_mean!, share: below / one.abs_tol }
}

const wrong = (name: string): Finding => ({
  name,
  relative: Number.POSITIVE_INFINITY,
  share: Number.POSITIVE_INFINITY,
})

interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

interface Deviation {
  /** |got − exact|, rounded once. */
  readonly absolute: number
  /** |got − exact| / |exact|, rounded once; 0 where both are 0, infinite where only the exact value is. */
  readonly relative: number
}

/** @param exact a decimal ("2.46e-3"), a fraction ("3/32") or a double */
export function deviation(got: number, exact: string | number): Deviation {
  const a = ofDouble(got)
  const b = typeof exact === 'number' ? ofDouble(exact) : ofText(exact)
  const numerator = magnitude(a.numerator * b.denominator - b.numerator * a.denominator)
  const absolute = quotient(numerator, a.denominator * b.denominator)
  if (b.numerator === 0n) return { absolute, relative: numerator === 0n ? 0 : Number.POSITIVE_INFINITY }
  return { absolute, relative: quotient(numerator, a.denominator * magnitude(b.numerator)) }
}

/** A finite double is a whole number times a power of two. */
function ofDouble(value: number): Rational {
  let exponent = 0
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    exponent += 1
  }
  return { numerator: BigInt(scaled), denominator: 1n << BigInt(exponent) }
}

function ofText(text: string): Rational {
  const [above = '', below] = text.split('/')
  if (below !== undefined) return { numerator: BigInt(above), denominator: BigInt(below) }
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const power = Number(exponent) - decimals.length
  const digits = BigInt(whole + decimals)
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

const bits = (value: bigint): number => value.toString(16).length * 4

/** A quotient of big integers as a double: 64 leading bits are divided, the rest is a power of two. */
function quotient(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0
  const shift = bits(denominator) - bits(numerator) + 64
  const scaled =
    shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift))
  // In two steps, because 2^shift may be out of range.
  const half = Math.trunc(shift / 2)
  return Number(scaled) / 2 ** half / 2 ** (shift - half)
}
