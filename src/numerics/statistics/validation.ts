/** The validation of predicted probabilities of default: discrimination and calibration. */
import { DomainError } from '../domain-error.ts'
import { millsRatio, NORMAL_PEAK } from '../options/mills-ratio.ts'
import { type Calibration, calibration } from './calibration.ts'
import { type RocArea, rocArea } from './roc-area.ts'
import { scoreLevels } from './score-levels.ts'

export interface Validation extends RocArea, Calibration {
  /** The normal interval about the area, cut at 0 and 1; undefined like its standard error. */
  readonly lower: number | undefined
  readonly upper: number | undefined
}

export interface ValidationOptions {
  readonly bins: number
  /** Confidence level of the interval, between 0 and 1. */
  readonly confidence: number
  /** Rows that each row stands for; empty: 1. */
  readonly weights: Float64Array
}

/**
 * @param labels 1 for a default, 0 for none; both must occur
 * @param scores probabilities of default, one per label
 */
export function validation(
  labels: Uint8Array,
  scores: Float64Array,
  { bins, confidence, weights }: ValidationOptions,
): Validation {
  if (!(confidence > 0 && confidence < 1)) throw new DomainError('confidence', 'must be between 0 and 1')
  const levels = scoreLevels(labels, scores, weights)
  const area = rocArea(levels)
  const reach =
    area.standardError === undefined ? undefined : normalQuantile((1 - confidence) / 2) * area.standardError
  return {
    ...area,
    ...calibration(levels, bins),
    lower: reach === undefined ? undefined : Math.max(0, area.auc - reach),
    upper: reach === undefined ? undefined : Math.min(1, area.auc + reach),
  }
}

/**
 * The z that a standard normal variable exceeds with probability α, by Newton steps on ln(1 − Φ(z)). It is concave, so that
 * the first step from 0 goes beyond the root and the others descend to it.
 * @param tail α, greater than 0 and at most 1/2
 */
export function normalQuantile(tail: number): number {
  const target = Math.log(tail / NORMAL_PEAK)
  let z = 0
  // Six to eight steps are enough; the limit only ends a circle of neighbouring doubles.
  for (let step = 0; step < 60; step++) {
    const ratio = millsRatio(z)
    const next = Math.max(0, z + (Math.log(ratio) - 0.5 * z * z - target) * ratio)
    if (Math.abs(next - z) <= 1e-16 * z) return next
    z = next
  }
  return z
}
