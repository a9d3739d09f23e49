/** Derivative, utility and entropy in the browser. */
import { finiteDifference } from '../../../numerics/derivative.ts'
import { logUtility } from '../../../numerics/log-utility.ts'
import { shannonEntropy } from '../../../numerics/statistics/shannon-entropy.ts'

export const derivative = ({ func_name, x, h, method }) => ({
  function: func_name,
  x,
  derivative: finiteDifference(func_name, x, h, method),
  method,
})

export function utility({ wealth }) {
  const result = logUtility(wealth)
  return {
    utility: result.utility,
    marginal_utility: result.marginalUtility,
    absolute_risk_aversion: result.absoluteRiskAversion,
    relative_risk_aversion: result.relativeRiskAversion,
  }
}

/** `probabilities`: Float64Array. */
export const entropy = ({ probabilities, base }) => ({
  shannon_entropy: shannonEntropy(probabilities, base),
  base,
})
