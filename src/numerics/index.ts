/** The functions of the package `quantd-numerics`, which README.md beside this file shows. The service imports the files themselves. */

export { type DifferenceMethod, type FunctionName, finiteDifference } from './derivative.ts'
export { DomainError } from './domain-error.ts'
export { attributions } from './forest/forest-attributions.ts'
export { type ForestModel, readModel, writeModel } from './forest/forest-model.ts'
export { type Forest, finished, forestScores } from './forest/forest-scores.ts'
export {
  type FittedForest,
  type ForestOptions,
  isolationForest,
  isolationForestInSteps,
} from './forest/isolation-forest.ts'
export { type LogUtility, logUtility } from './log-utility.ts'
export { defaultProbabilities } from './matrices/default-probabilities.ts'
export { flatten, type Matrix, unflatten } from './matrices/matrix.ts'
export { type Migration, migration } from './matrices/migration.ts'
export { type Bootstrap, migrationBootstrap, type ProbabilityBounds } from './matrices/migration-bootstrap.ts'
export {
  type MigrationData,
  type MigrationGenerator,
  migrationGenerator,
} from './matrices/migration-generator.ts'
export {
  looksEvery,
  type ObservationWindow,
  type RatingHistory,
  type RatingRows,
  ratingHistory,
} from './matrices/rating-history.ts'
export { americanBoundary } from './options/american/american-boundary.ts'
export {
  type AmericanQuote,
  americanImpliedVolatility,
} from './options/american/american-implied-volatility.ts'
export { type AmericanOption, americanOption } from './options/american/american-option.ts'
export type { BachelierInput, ForwardGreeks } from './options/bachelier.ts'
export type { BachelierQuote } from './options/bachelier-implied-volatility.ts'
export { type BlackScholesInput, blackScholes } from './options/black-scholes.ts'
export { type BlackScholesGreeks, blackScholesGreeks } from './options/black-scholes-greeks.ts'
export type { Market, Quote } from './options/calibration/calibration-quotes.ts'
export {
  type Calibration,
  type Fit,
  type MaturityFit,
  varianceGammaByMaturity,
  varianceGammaCalibration,
} from './options/calibration/variance-gamma-calibration.ts'
export {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from './options/forward-option.ts'
export { type ImpliedVolatilityInput, impliedVolatility } from './options/implied-volatility.ts'
export {
  type VarianceGammaInput,
  type VarianceGammaOption,
  varianceGammaCall,
} from './options/variance-gamma.ts'
export { type VarianceGammaGreeks, varianceGammaGreeks } from './options/variance-gamma-greeks.ts'
export type { Sample } from './statistics/bins.ts'
export { type Discrimination, discrimination } from './statistics/discrimination.ts'
export type { OutlierMethod } from './statistics/outliers.ts'
export { outliers } from './statistics/outliers.ts'
export { shannonEntropy } from './statistics/shannon-entropy.ts'
export { type Binning, type Stability, stability } from './statistics/stability.ts'
export { type Validation, type ValidationOptions, validation } from './statistics/validation.ts'
