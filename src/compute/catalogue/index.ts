/** The list of all operations. Made by `npm run generate` from the folders; the order of the lines may be changed. */
import {
  isolationForestFitOperation,
  isolationForestOperation,
  isolationForestScoreOperation,
} from './clustering/isolation-forest.ts'
import { migrationGeneratorOperation, migrationOperation } from './credit/migration.ts'
import { ratingHistoryOperation } from './credit/rating-history.ts'
import { stabilityOperation } from './credit/stability.ts'
import { discriminationOperation, validationOperation } from './credit/validation.ts'
import { derivativeOperation } from './differentiation/derivative.ts'
import { logUtilityOperation } from './economics/log-utility.ts'
import type { Operation } from './operation.ts'
import { shannonEntropyOperation } from './physics/shannon-entropy.ts'
import { outliersOperation } from './preprocessing/outliers.ts'
import {
  americanBoundaryOperation,
  americanImpliedVolatilityOperation,
  americanOperation,
} from './pricing/american.ts'
import {
  blackScholesGreeksOperation,
  blackScholesOperation,
  impliedVolatilityOperation,
} from './pricing/black-scholes.ts'
import {
  forwardGreeksOperation,
  forwardImpliedVolatilityOperation,
  forwardPriceOperation,
} from './pricing/forward.ts'
import { varianceGammaGreeksOperation, varianceGammaOperation } from './pricing/variance-gamma.ts'
import { varianceGammaCalibrateOperation } from './pricing/variance-gamma-calibrate.ts'

export const operations: readonly Operation[] = [
  varianceGammaOperation,
  blackScholesOperation,
  blackScholesGreeksOperation,
  impliedVolatilityOperation,
  derivativeOperation,
  discriminationOperation,
  outliersOperation,
  logUtilityOperation,
  migrationOperation,
  shannonEntropyOperation,
  isolationForestOperation,
  validationOperation,
  varianceGammaGreeksOperation,
  stabilityOperation,
  isolationForestFitOperation,
  isolationForestScoreOperation,
  migrationGeneratorOperation,
  americanOperation,
  americanBoundaryOperation,
  americanImpliedVolatilityOperation,
  varianceGammaCalibrateOperation,
  forwardGreeksOperation,
  forwardImpliedVolatilityOperation,
  forwardPriceOperation,
  ratingHistoryOperation,
]
