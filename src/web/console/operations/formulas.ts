/** The operations without a table, by the names of their modules. Made by `npm run generate` from the folder. */
import type { Operation } from '../operation.ts'
import * as economicsUtilityLog from './economics-utility-log.tsx'
import * as modelsVarianceGammaGreeks from './models-variance-gamma-greeks.ts'
import * as modelsVarianceGammaPrice from './models-variance-gamma-price.tsx'
import * as numericalDifferentiationDerivative from './numerical-differentiation-derivative.tsx'
import * as pricingAmericanBoundary from './pricing-american-boundary.tsx'
import * as pricingAmericanImpliedVolatility from './pricing-american-implied-volatility.ts'
import * as pricingAmericanPrice from './pricing-american-price.ts'
import * as pricingBsGreeks from './pricing-bs-greeks.ts'
import * as pricingBsImpliedVolatility from './pricing-bs-implied-volatility.ts'
import * as pricingBsPrice from './pricing-bs-price.ts'
import * as pricingForwardGreeks from './pricing-forward-greeks.ts'
import * as pricingForwardImpliedVolatility from './pricing-forward-implied-volatility.ts'
import * as pricingForwardPrice from './pricing-forward-price.ts'

export const operations: Readonly<Record<string, Operation>> = {
  'economics-utility-log': economicsUtilityLog,
  'models-variance-gamma-greeks': modelsVarianceGammaGreeks,
  'models-variance-gamma-price': modelsVarianceGammaPrice,
  'numerical-differentiation-derivative': numericalDifferentiationDerivative,
  'pricing-american-boundary': pricingAmericanBoundary,
  'pricing-american-implied-volatility': pricingAmericanImpliedVolatility,
  'pricing-american-price': pricingAmericanPrice,
  'pricing-bs-greeks': pricingBsGreeks,
  'pricing-bs-implied-volatility': pricingBsImpliedVolatility,
  'pricing-bs-price': pricingBsPrice,
  'pricing-forward-greeks': pricingForwardGreeks,
  'pricing-forward-implied-volatility': pricingForwardImpliedVolatility,
  'pricing-forward-price': pricingForwardPrice,
}
