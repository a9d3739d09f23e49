/** How each operation is previewed and drawn, loaded when its page is shown. */

const modules = {
  pricingBsPrice: () => import('./black-scholes.js'),
  pricingBsGreeks: () => import('./greeks.js'),
  pricingBsImpliedVolatility: () => import('./implied-volatility.js'),
  modelsVarianceGammaPrice: () => import('./variance-gamma.js'),
  numericalDifferentiationDerivative: () => import('./derivative.js'),
  mlCreditDiscrimination: () => import('./discrimination.js'),
  mlCreditMigration: () => import('./migration.js'),
  mlPreprocessingOutliers: () => import('./outliers.js'),
  mlClusteringIsolationForest: () => import('./isolation-forest.js'),
  economicsUtilityLog: () => import('./log-utility.js'),
  physicsEntropyShannon: () => import('./entropy.js'),
  batch: () => import('./batch.js'),
}

/**
 * A module with `preview(values)`, the reply's data or what the picture needs of it; `headline(data)`, the numbers to
 * show large; and `Picture({ values, data })`. An operation without one gets its form and its result.
 */
export const loadOperation = (id) =>
  id.endsWith('Columns') ? import('./columns.js') : (modules[id]?.() ?? import('./plain.js'))
