/** The list of all operations. Made by `npm run generate` from the folders; the order of the lines may be changed. */
import { isolationForestOperation } from './clustering/isolation-forest.ts'
import { isolationForestFitOperation } from './clustering/isolation-forest-fit.ts'
import { isolationForestScoreOperation } from './clustering/isolation-forest-score.ts'
import { discriminationOperation } from './credit/discrimination.ts'
import { migrationOperation } from './credit/migration.ts'
import { migrationGeneratorOperation } from './credit/migration-generator.ts'
import { stabilityOperation } from './credit/stability.ts'
import { validationOperation } from './credit/validation.ts'
import { derivativeOperation } from './differentiation/derivative.ts'
import { logUtilityOperation } from './economics/log-utility.ts'
import type { Operation } from './operation.ts'
import { shannonEntropyOperation } from './physics/shannon-entropy.ts'
import { outliersOperation } from './preprocessing/outliers.ts'
import { americanOperation } from './pricing/american.ts'
import { americanBoundaryOperation } from './pricing/american-boundary.ts'
import { americanImpliedVolatilityOperation } from './pricing/american-implied-volatility.ts'
import { blackScholesOperation } from './pricing/black-scholes.ts'
import { blackScholesGreeksOperation } from './pricing/black-scholes-greeks.ts'
import { forwardGreeksOperation } from './pricing/forward-greeks.ts'
import { forwardImpliedVolatilityOperation } from './pricing/forward-implied-volatility.ts'
import { forwardPriceOperation } from './pricing/forward-price.ts'
import { impliedVolatilityOperation } from './pricing/implied-volatility.ts'
import { varianceGammaOperation } from './pricing/variance-gamma.ts'
import { varianceGammaCalibrateOperation } from './pricing/variance-gamma-calibrate.ts'
import { varianceGammaGreeksOperation } from './pricing/variance-gamma-greeks.ts'

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
]
