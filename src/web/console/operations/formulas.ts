/** The operations without a table, by their names. Made by `npm run generate` from the folder. */
import type { Operation } from '../operation.ts'
import * as economicsUtilityLog from './economics-utility-log.tsx'
import * as modelsVarianceGamma from './models-variance-gamma.tsx'
import * as numericalDifferentiationDerivative from './numerical-differentiation-derivative.tsx'
import * as pricingAmerican from './pricing-american.ts'
import * as pricingAmericanBoundary from './pricing-american-boundary.tsx'
import * as pricingBs from './pricing-bs.ts'
import * as pricingForward from './pricing-forward.ts'

export const operations: Readonly<Record<string, Operation>> = {
  'economics-utility-log': economicsUtilityLog,
  'models-variance-gamma-price': modelsVarianceGamma.price,
  'models-variance-gamma-greeks': modelsVarianceGamma.greeks,
  'numerical-differentiation-derivative': numericalDifferentiationDerivative,
  'pricing-american-price': pricingAmerican.price,
  'pricing-american-implied-volatility': pricingAmerican.impliedVolatility,
  'pricing-american-boundary': pricingAmericanBoundary,
  'pricing-bs-price': pricingBs.price,
  'pricing-bs-greeks': pricingBs.greeks,
  'pricing-bs-implied-volatility': pricingBs.impliedVolatility,
  'pricing-forward-price': pricingForward.price,
  'pricing-forward-greeks': pricingForward.greeks,
  'pricing-forward-implied-volatility': pricingForward.impliedVolatility,
}
