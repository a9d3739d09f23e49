/** Requests and results of every endpoint, generated from the declarations of the service by `npm run generate`; do not edit. */

import type { Call } from './call.ts'
import type { Numbers } from './numbers.ts'
import type { CallOptions } from './options.ts'

export interface ModelsVarianceGammaPriceInput {
  /** spot, any currency; > 0 */
  S: number
  /** strike, same unit; > 0 */
  K: number
  /** years to maturity; ≥ 0 */
  T: number
  /** risk-free, decimal per year; continuously compounded */
  r: number
  /** volatility, decimal per year; of the Brownian motion; ≥ 0 */
  sigma: number
  /** drift per year; of the Brownian motion; negative means left skew */
  theta_vg: number
  /** variance rate per year; above 0; of the gamma time; higher means fatter tails; ≥ 0 */
  nu: number
  /** dividend yield, decimal per year; continuously compounded; default 0 */
  q?: number
}

export interface ModelsVarianceGammaPriceData {
  /** in the unit of S */
  vg_call_price: number
}

export interface PricingBsPriceInput {
  /** any currency; > 0 */
  spot: number
  /** same unit; > 0 */
  strike: number
  /** decimal per year; continuously compounded */
  risk_free_rate: number
  /** decimal per year; of the log price; ≥ 0 */
  volatility: number
  /** years; ≥ 0 */
  time_to_maturity: number
  /** decimal per year; continuously compounded; default 0 */
  dividend_yield?: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
}

export interface PricingBsPriceData {
  /** in the unit of spot */
  price: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export type PricingBsGreeksInput = PricingBsPriceInput

export interface PricingBsGreeksData {
  /** per unit of spot; ∂V/∂S */
  delta: number
  /** per unit of spot; ∂²V/∂S², change of delta */
  gamma: number
  /** per 1.00; of volatility, ∂V/∂σ; divide by 100 for a percentage point */
  vega: number
  /** −∂V/∂T, per year; divide by 365 for a calendar day */
  theta: number
  /** per 1.00; of rate, ∂V/∂r; divide by 10,000 for a basis point */
  rho: number
  /** per 1.00; ∂delta/∂σ */
  vanna?: number
  /** per 1.00; ∂vega/∂σ */
  volga?: number
  /** per 1.00; ∂gamma/∂σ */
  zomma?: number
  /** per year; −∂delta/∂T */
  charm?: number
  /** per year; −∂gamma/∂T */
  color?: number
  /** per unit; ∂gamma/∂S */
  speed?: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export interface PricingBsImpliedVolatilityInput {
  /** any currency; ≥ 0 */
  price: number
  /** same unit; > 0 */
  spot: number
  /** same unit; > 0 */
  strike: number
  /** decimal per year; continuously compounded */
  risk_free_rate: number
  /** years; > 0 */
  time_to_maturity: number
  /** decimal per year; continuously compounded; default 0 */
  dividend_yield?: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
}

export interface PricingBsImpliedVolatilityData {
  /** decimal per year; of the log price */
  implied_volatility: number
}

export interface NumericalDifferentiationDerivativeInput {
  /** built-in function */
  func_name: 'exp' | 'log' | 'sin' | 'cos' | 'sqrt' | 'tan' | 'x2' | 'x3'
  /** point; in the unit of the function’s argument */
  x: number
  /** step, in the unit of x; x + h must differ from x in double precision; > 0; default 1e-7 */
  h?: number
  /** finite differences; default "central" */
  method?: 'central' | 'forward' | 'backward'
}

export interface NumericalDifferentiationDerivativeData {
  /** func_name */
  function: 'exp' | 'log' | 'sin' | 'cos' | 'sqrt' | 'tan' | 'x2' | 'x3'
  /** the point of the request */
  x: number
  /** per unit of x; the difference quotient */
  derivative: number
  /** the method used */
  method: 'central' | 'forward' | 'backward'
}

export interface MlCreditDiscriminationInput {
  /** 1 default, 0 not; both must occur; 1 … 1,000,000 items, each 0 … 1 */
  y_true: Numbers
  /** probabilities or scores; in any unit, one per label; 1 … 1,000,000 items */
  y_score: Numbers
}

export interface MlCreditDiscriminationData {
  /** 2·AUC − 1; from −1 to 1; -1 … 1 */
  gini: number
  /** largest gap of the classes; between their distribution functions, from 0 to 1; 0 … 1 */
  ks_statistic: number
  /** ROC area; from 0 to 1; 0 … 1 */
  auc_roc: number
  /** equals gini; -1 … 1 */
  accuracy_ratio: number
}

export interface MlPreprocessingOutliersInput {
  /** a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns */
  X: readonly Numbers[]
  /** detection method; default "zscore" */
  method?: 'zscore' | 'iqr' | 'mad'
  /** 3 is 3-sigma for zscore; > 0; default 3 */
  threshold?: number
}

export interface MlPreprocessingOutliersData {
  /** one per row of X; true where the row is an outlier */
  outliers: boolean[]
  /** rows, from 0; of the outliers, ascending; each ≥ 0 */
  outlier_indices: number[]
}

export interface EconomicsUtilityLogInput {
  /** any currency; > 0 */
  wealth: number
}

export interface EconomicsUtilityLogData {
  /** ln(wealth), a pure number */
  utility: number
  /** 1/wealth, per currency unit */
  marginal_utility: number
  /** 1/wealth, per currency unit */
  absolute_risk_aversion: number
  /** always 1 */
  relative_risk_aversion: number
}

export interface MlCreditMigrationInput {
  /** counts, a row per from-rating; square, a column per to-rating; 1 … 200 rows, 1 … 200 columns, each ≥ 0 */
  transitions: readonly Numbers[]
  /** to project; number of periods; 1 … 10,000; default 1 */
  periods?: number
}

export interface MlCreditMigrationData {
  /** over one period; each row sums to 1; 1 … 1,000,000 rows, 1 … 10,000 columns */
  transition_matrix: number[][]
  /** over the periods; each row sums to 1; 1 … 1,000,000 rows, 1 … 10,000 columns */
  multi_period_matrix: number[][]
}

export interface PhysicsEntropyShannonInput {
  /** discrete distribution; must sum to 1, within 1e-6; 1 … 1,000,000 items, each ≥ 0 */
  probabilities: Numbers
  /** other than 1; logarithm base; > 0; default 2.718281828459045 */
  base?: number
}

export interface PhysicsEntropyShannonData {
  /** in units of the base */
  shannon_entropy: number
  /** the base used */
  base: number
}

export interface MlClusteringIsolationForestInput {
  /** a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns */
  X: readonly Numbers[]
  /** trees; 1 … 1,000; default 100 */
  n_trees?: number
  /** share of outliers; as expected; rows of equal score get the same prediction; 0 … 0.5; default 0.1 */
  contamination?: number
  /** seed; of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0 */
  random_state?: number
}

export interface MlClusteringIsolationForestData {
  /** from 0 to 1; one per row of X, higher if more anomalous; each 0 … 1 */
  anomaly_scores: number[]
  /** −1 anomaly, 1 normal; one per row of X; each -1 … 1 */
  predictions: number[]
  /** anomalies score higher; 1, which no row reaches, where there are none */
  threshold: number
}

export interface MlCreditValidationInput {
  /** 1 default, 0 not; both occur; 1 … 1,000,000 items, each 0 … 1 */
  y_true: Numbers
  /** of default; one per label; 1 … 1,000,000 items, each 0 … 1 */
  y_prob: Numbers
  /** of equal count; fewer with ties, more beside own bins; 1 … 1,000; default 10 */
  n_bins?: number
  /** of intervals; > 0 and < 1; default 0.95 */
  confidence?: number
  /** rows each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [] */
  weights?: Numbers
}

export interface MlCreditValidationData {
  /** ROC area; 0 … 1 */
  auc_roc: number
  /** DeLong; absent, as bounds, with one row of a class; ≥ 0 */
  auc_standard_error?: number
  /** bound; the lower one; 0 … 1 */
  auc_lower?: number
  /** bound; the upper one; 0 … 1 */
  auc_upper?: number
  /** 2·AUC − 1; -1 … 1 */
  gini: number
  /** largest distribution gap; 0 … 1 */
  ks_statistic: number
  /** least probability there; 0 … 1 */
  ks_threshold: number
  /** mean (probability − label)²; 0 … 1 */
  brier_score: number
  /** by bins; weighted by rows: (mean − observed rate)²; 0 … 1 */
  brier_reliability: number
  /** by bins; likewise: (observed − overall rate)²; 0 … 1 */
  brier_resolution: number
  /** overall rate·(1 − rate); 0 … 1 */
  brier_uncertainty: number
  /** by bins; likewise: |mean − observed rate|; 0 … 1 */
  expected_calibration_error: number
  /** χ²; absent if infinite; ≥ 0 */
  hosmer_lemeshow_statistic?: number
  /** bins − 2 degrees; absent below 3 bins; 0 … 1 */
  hosmer_lemeshow_p_value?: number
  /** ascending; mirrored for 1 − y_true, 1 − y_prob */
  bins: {
    /** least probability; 0 … 1 */
    lower: number
    /** greatest; 0 … 1 */
    upper: number
    /** rows, or their weight; ≥ 0 */
    count: number
    /** defaults, likewise; ≥ 0 */
    defaults: number
    /** mean; 0 … 1 */
    mean_probability: number
    /** share of defaults; 0 … 1 */
    observed_rate: number
    /** over the overall rate; ≥ 0 */
    lift: number
  }[]
}

export interface ModelsVarianceGammaGreeksInput {
  /** spot, any currency; > 0 */
  S: number
  /** strike, same unit; > 0 */
  K: number
  /** years to maturity; ≥ 0 */
  T: number
  /** risk-free, decimal per year; continuously compounded */
  r: number
  /** volatility, decimal per year; of the Brownian motion; ≥ 0 */
  sigma: number
  /** drift per year; of the Brownian motion; negative means left skew */
  theta_vg: number
  /** variance rate per year; above 0; of the gamma time; higher means fatter tails; ≥ 0 */
  nu: number
  /** dividend yield, decimal per year; continuously compounded; default 0 */
  q?: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
}

export interface ModelsVarianceGammaGreeksData {
  /** in the unit of S */
  price: number
  /** per unit of S; ∂V/∂S */
  delta: number
  /** per unit of S; ∂²V/∂S² */
  gamma: number
  /** per 1.00; ∂V/∂sigma */
  d_sigma: number
  /** per 1.00; ∂V/∂theta_vg */
  d_theta_vg: number
  /** per 1.00; ∂V/∂nu */
  d_nu: number
  /** −∂V/∂T, per year */
  theta: number
  /** per 1.00; ∂V/∂r */
  rho: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export interface MlCreditStabilityInput {
  /** development sample; 1 … 1,000,000 items */
  expected: Numbers
  /** scores to judge; 1 … 1,000,000 items */
  actual: Numbers
  /** all bounds, rising; [lower, upper), last closed; hold every score; at most 1,001 items; default [] */
  edges?: Numbers
  /** quantiles of expected; without edges; fewer with ties, more beside own bins; 1 … 1,000; default 10 */
  n_bins?: number
  /** 1 default, 0 not; at most 1,000,000 items, each 0 … 1; default [] */
  expected_y_true?: Numbers
  /** likewise; at most 1,000,000 items, each 0 … 1; default [] */
  actual_y_true?: Numbers
  /** pool bins; until the default rate of expected is monotone; default false */
  monotone?: boolean
  /** rows each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [] */
  expected_weights?: Numbers
  /** likewise; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [] */
  actual_weights?: Numbers
}

export interface MlCreditStabilityData {
  /** sum of contributions; ≥ 0 */
  psi: number
  /** ascending */
  bins: {
    /** lower bound, in the bin */
    lower: number
    /** upper bound, in the last bin only; a score on an inner quantile bound counts half in both */
    upper: number
    /** share of expected; 0 … 1 */
    expected_share: number
    /** share of actual; 0 … 1 */
    actual_share: number
    /** (actual − expected share)·ln(actual/expected share); ≥ 0 */
    contribution: number
    /** ln(share of non-defaults / share of defaults) */
    weight_of_evidence?: {
      /** of the expected sample */
      expected: number
      /** of the actual sample */
      actual: number
    }
  }[]
  /** over all bins; Σ (share of non-defaults − of defaults)·weight of evidence */
  information_value?: {
    /** of the expected sample; ≥ 0 */
    expected: number
    /** of the actual sample; ≥ 0 */
    actual: number
  }
}

export interface MlClusteringIsolationForestFitInput {
  /** a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns */
  X: readonly Numbers[]
  /** trees; 1 … 1,000; default 100 */
  n_trees?: number
  /** rows of each tree; if X has as many; 2 … 65,536; default 256 */
  max_samples?: number
  /** share of outliers; as expected; rows of equal score get the same prediction; 0 … 0.5; default 0.1 */
  contamination?: number
  /** seed; of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0 */
  random_state?: number
  /** names; kept in the model; at most 10,000 items, each at most 200 characters; default [] */
  columns?: string[]
}

export interface MlClusteringIsolationForestFitData {
  /** the forest; send it unchanged to …/score */
  model: string
  /** anomalies score higher; 1 where X has none */
  threshold: number
  /** columns of X; 1 … 10,000 */
  n_features: number
}

export interface MlClusteringIsolationForestScoreInput {
  /** the model of a fit */
  model: string
  /** rows to score; 1 … 1,000,000 rows, 1 … 10,000 columns */
  X: readonly Numbers[]
  /** divide paths among columns; default false */
  attributions?: boolean
  /** names; in any order if the model has them; at most 10,000 items, each at most 200 characters; default [] */
  columns?: string[]
}

export interface MlClusteringIsolationForestScoreData {
  /** from 0 to 1; one per row of X, higher if more anomalous; each 0 … 1 */
  anomaly_scores: number[]
  /** −1 anomaly, 1 normal; one per row of X; each -1 … 1 */
  predictions: number[]
  /** if asked for: per row and column; a row sums to its mean path length; 1 … 1,000,000 rows, 1 … 10,000 columns, each ≥ 0 */
  attributions?: number[][]
}

export interface MlCreditMigrationGeneratorInput {
  /** counts of a year, square; the last rating is default; 1 … 200 rows, 1 … 200 columns, each ≥ 0 */
  transitions: readonly Numbers[]
  /** years in each rating; for duration; at most 200 items, each ≥ 0; default [] */
  exposures?: Numbers
  /** by the cohort matrix or exposures; the rates of duration ignore the diagonal of transitions; default "logarithm" */
  method?: 'logarithm' | 'duration'
  /** years; at most 1,000 items, each 0 … 10,000; default [1,2,3,5,7,10] */
  times?: Numbers
  /** for intervals; samples of the moves; 0: none; 0 … 10,000; default 0 */
  bootstrap_samples?: number
  /** of intervals; > 0 and < 1; default 0.95 */
  confidence?: number
  /** seed; of the samples; −(2⁵³ − 1) … 2⁵³ − 1; default 0 */
  random_state?: number
}

export interface MlCreditMigrationGeneratorData {
  /** rates per year; from row to column, each row sums to 0; 1 … 1,000,000 rows, 1 … 10,000 columns */
  generator: number[][]
  /** whether the logarithm is a generator; the principal one of the cohort matrix, with its diagonal */
  embeddable: boolean
  /** a row per time; a column per rating; 0 … 1,000,000 rows, 1 … 10,000 columns, each 0 … 1 */
  default_probabilities: number[][]
  /** ratings without default; here, though transitions lead to it */
  warning?: string
  /** bounds; the lower ones; 0 … 1,000,000 rows, 1 … 10,000 columns, each 0 … 1 */
  default_probabilities_lower?: number[][]
  /** bounds; the upper ones; 0 … 1,000,000 rows, 1 … 10,000 columns, each 0 … 1 */
  default_probabilities_upper?: number[][]
}

export type PricingAmericanPriceInput = PricingBsPriceInput

export interface PricingAmericanPriceData {
  /** in the unit of spot */
  price: number
  /** in the unit of spot */
  european_price: number
  /** price less european_price */
  early_exercise_premium: number
  /** per unit of spot; ∂V/∂S; the Greeks are absent at a kink */
  delta?: number
  /** per unit of spot; ∂²V/∂S² */
  gamma?: number
  /** −∂V/∂T, per year */
  theta?: number
  /** per 1.00; of volatility, ∂V/∂σ */
  vega?: number
  /** per 1.00; of rate, ∂V/∂r */
  rho?: number
  /** per 1.00; of yield, ∂V/∂q */
  dividend_rho?: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export interface PricingAmericanBoundaryInput {
  /** any currency; > 0 */
  spot: number
  /** same unit; > 0 */
  strike: number
  /** decimal per year; continuously compounded */
  risk_free_rate: number
  /** decimal per year; of the log price; ≥ 0 */
  volatility: number
  /** years; ≥ 0 */
  time_to_maturity: number
  /** decimal per year; continuously compounded; default 0 */
  dividend_yield?: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
  /** years; up to time_to_maturity; 1 … 1,000,000 items, each ≥ 0 */
  times: Numbers
}

export interface PricingAmericanBoundaryData {
  /** by time */
  critical_prices: number[][]
}

export type PricingAmericanImpliedVolatilityInput = PricingBsImpliedVolatilityInput

export interface PricingAmericanImpliedVolatilityData {
  /** decimal per year; of the log price */
  implied_volatility: number
}

export interface ModelsVarianceGammaCalibrateInput {
  /** spot, any currency; > 0 */
  S: number
  /** risk-free, decimal per year; continuously compounded */
  r: number
  /** dividend yield, decimal per year; continuously compounded; default 0 */
  q?: number
  /** options; refused outside the no-arbitrage bounds; 3 … 2,000 items */
  quotes: ({
    /** strike, same unit; > 0 */
    K: number
    /** years to maturity; > 0 */
    T: number
    /** in the unit of S; this or implied_volatility; ≥ 0 */
    price?: number
    /** decimal per year; Black–Scholes; ≥ 0 */
    implied_volatility?: number
    /** right to buy or sell; call: to buy, put: to sell; default "call" */
    option_type?: 'call' | 'put'
    /** of the squared residual; ≥ 0; default 1 */
    weight?: number
  })[]
  /** also fit each T (years) alone; default false */
  per_maturity?: boolean
}

export interface ModelsVarianceGammaCalibrateDataStandardErrors {
  /** of sigma; ≥ 0 */
  sigma: number
  /** of theta_vg; ≥ 0 */
  theta_vg: number
  /** of nu; ≥ 0 */
  nu: number
}

export interface ModelsVarianceGammaCalibrateData {
  /** decimal per year; ≥ 0 */
  sigma: number
  /** per year */
  theta_vg: number
  /** per year; ≥ 0 */
  nu: number
  /** in the unit of S; root mean square of residuals, weighted; ≥ 0 */
  rmse: number
  /** by the quotes; whether they determine the parameters */
  identifiable: boolean
  /** where identifiable; with more than 3 quotes of a weight above 0 */
  standard_errors?: ModelsVarianceGammaCalibrateDataStandardErrors
  /** at most 1e16 */
  condition_number: number
  /** model less quoted price; in order */
  residuals: number[]
  /** steps; of all searches; 0 … 2⁵³ − 1 */
  iterations: number
  /** with per_maturity; ascending */
  maturities?: {
    /** years; > 0 */
    T: number
    /** with a weight and a time value; 0 … 2,000 */
    quotes: number
    /** decimal per year; ≥ 0 */
    sigma?: number
    /** per year */
    theta_vg?: number
    /** per year; ≥ 0 */
    nu?: number
    /** in the unit of S; root mean square of residuals, weighted; ≥ 0 */
    rmse?: number
    /** by the quotes; whether they determine the parameters */
    identifiable: boolean
    /** where identifiable; with more than 3 quotes of a weight above 0 */
    standard_errors?: ModelsVarianceGammaCalibrateDataStandardErrors
    /** if fewer than 3 */
    warning?: string
  }[]
}

export interface PricingForwardGreeksInput {
  /** any currency; above 0 with black_76 */
  forward: number
  /** same unit */
  strike: number
  /** decimal per year; continuously compounded */
  risk_free_rate: number
  /** per year, bachelier in the unit of forward; black_76: of the log price, as a decimal; ≥ 0 */
  volatility: number
  /** years; ≥ 0 */
  time_to_maturity: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
  /** lognormal or normal prices; default "black_76" */
  model?: 'black_76' | 'bachelier'
}

export interface PricingForwardGreeksData {
  /** per unit of forward; ∂V/∂F */
  delta: number
  /** per unit of forward; ∂²V/∂F² */
  gamma: number
  /** per 1.00; of volatility, ∂V/∂σ */
  vega: number
  /** −∂V/∂T, per year */
  theta: number
  /** per 1.00; of rate, ∂V/∂r = −T·V */
  rho: number
  /** per 1.00; ∂delta/∂σ */
  vanna?: number
  /** per 1.00; ∂vega/∂σ */
  volga?: number
  /** per 1.00; ∂gamma/∂σ */
  zomma?: number
  /** per year; −∂delta/∂T */
  charm?: number
  /** per year; −∂gamma/∂T */
  color?: number
  /** per unit; ∂gamma/∂F */
  speed?: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export interface PricingForwardImpliedVolatilityInput {
  /** any currency; ≥ 0 */
  price: number
  /** any currency; above 0 with black_76 */
  forward: number
  /** same unit */
  strike: number
  /** decimal per year; continuously compounded */
  risk_free_rate: number
  /** years; > 0 */
  time_to_maturity: number
  /** right to buy or sell; call: to buy, put: to sell; default "call" */
  option_type?: 'call' | 'put'
  /** lognormal or normal prices; default "black_76" */
  model?: 'black_76' | 'bachelier'
}

export interface PricingForwardImpliedVolatilityData {
  /** per year, bachelier in the unit of forward; black_76: of the log price, as a decimal; ≥ 0 */
  implied_volatility: number
}

export type PricingForwardPriceInput = PricingForwardGreeksInput

export interface PricingForwardPriceData {
  /** in the unit of forward */
  price: number
  /** right to buy or sell; call: to buy, put: to sell */
  option_type: 'call' | 'put'
}

export interface MlCreditRatingHistoryInput {
  /** issuers; one per row, texts or whole numbers; 1 … 1,000,000 items */
  entities: (string | number)[]
  /** one per row; from its time on; 1 … 1,000,000 items, each at least 1 character */
  ratings: string[]
  /** best first; all ratings, of which the last is default; 2 … 200 items, each at least 1 character */
  order: string[]
  /** date or years; of the window, as dates or times */
  start: string | number
  /** likewise */
  end: string | number
  /** years; one per row, where there are no dates; at most 1,000,000 items; default [] */
  times?: Numbers
  /** ISO 8601; one per row; 0 … 1,000,000 items, each at least 1 character; default [] */
  dates?: string[]
  /** of counting; default "cohort" */
  method?: 'cohort' | 'duration'
  /** years; of cohorts, whole months by the calendar of dates; > 0 and ≤ 10,000; default 1 */
  period?: number
  /** not rated; the ratings that mean so; 0 … 200 items, each at least 1 character; default ["NR","WR"] */
  withdrawn?: string[]
}

export interface MlCreditRatingHistoryData {
  /** names of rows and columns; best first */
  ratings: string[]
  /** counts; from row to column, of cohorts also of those who stay; 1 … 1,000,000 rows, 1 … 10,000 columns */
  transitions: number[][]
  /** years in each rating; only of duration; each ≥ 0 */
  exposures?: number[]
  /** rated in the window; 0 … 2⁵³ − 1 */
  entities: number
  /** moves to withdrawn; of cohorts, ratings that are withdrawn a period later; 0 … 2⁵³ − 1 */
  withdrawals: number
  /** years withdrawn; until the next rating or the end; ≥ 0 */
  unrated_years: number
}

export interface GuestCreateInput {
  /** identifier of the device; you choose it; 1 to 200 printable characters */
  device_id: string
  /** name of the device, for people; 1 to 200 printable characters */
  device_name: string
  /** operating system or runtime; 1 to 200 printable characters */
  platform: string
}

export interface GuestCreateData {
  /** the API key, in full; send it as X-API-Key */
  api_key: string
  /** credits of the key */
  credit_balance: number
  /** when the key expires: after 24 hours (ISO 8601, UTC) */
  expires_at: string
}

export interface UserRegisterInput {
  /** name used in mails to the account; need not be unique; 1 to 100 printable characters */
  username: string
  /** e-mail address; case does not matter */
  email: string
  /** password of 8 to 128 characters, any characters */
  password: string
  /** full name; defaults to the username; 1 to 200 printable characters */
  full_name?: string
  /** guest key to merge into the account; ignored if it is not usable */
  guest_api_key?: string
}

export interface UserRegisterData {
  /** address that the code was sent to */
  email: string
  /** the result, and the next step */
  message: string
  /** names this registration; keep it secret, and send it to /user/verify-otp */
  registration: string
}

export interface UserVerifyOtpInput {
  /** e-mail address; case does not matter */
  email: string
  /** the one-time code from the mail */
  otp: string
  /** the `registration` from the reply of /user/register; names that registration */
  registration?: string
}

export interface UserVerifyOtpData {
  /** the API key, in full; send it as X-API-Key */
  api_key: string
  /** the result, and the next step */
  message: string
}

export interface UserResendOtpInput {
  /** e-mail address; case does not matter */
  email: string
  /** the `registration` from the reply of /user/register; names that registration */
  registration?: string
}

export interface UserResendOtpData {
  /** the address */
  email: string
  /** the result, and the next step */
  message: string
}

export interface UserLoginInput {
  /** e-mail address; case does not matter */
  email: string
  /** the account’s password */
  password: string
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserLoginData {
  /** the API key, in full; send it as X-API-Key */
  api_key: string
  /** the account */
  user: {
    /** number of the account */
    user_id: number
    /** the address */
    email: string
    /** full name */
    full_name: string
    /** current balance */
    credits: number
    /** account type; it determines the hourly limit */
    account_type: 'free' | 'basic' | 'standard' | 'pro'
  }
}

export interface UserRegenerateApiKeyInput {
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export type UserRegenerateApiKeyData = UserVerifyOtpData

export type UserProfileData =
  | {
      /** number of the account */
      user_id: number
      /** the address */
      email: string
      /** full name */
      full_name: string
      /** current balance */
      credits: number
      /** account type; it determines the hourly limit */
      account_type: 'free' | 'basic' | 'standard' | 'pro'
      /** when the account was created (ISO 8601, UTC) */
      created_at: string
      /** whether the second factor is on */
      mfa_enabled: boolean
      /** when the key was created (ISO 8601, UTC) */
      api_key_created_at: string
      /** state of the API key */
      api_key_status: 'active' | 'suspended' | 'revoked'
    }
  | {
      /** always guest */
      account_type: 'guest'
      /** current balance */
      credits: number
      /** when the key expires: after 24 hours (ISO 8601, UTC) */
      expires_at: string
      /** when the key was created (ISO 8601, UTC) */
      api_key_created_at: string
      /** state of the API key */
      api_key_status: 'active' | 'suspended' | 'revoked'
    }

export interface UserForgotPasswordInput {
  /** e-mail address; case does not matter */
  email: string
}

export type UserForgotPasswordData = UserResendOtpData

export interface UserResetPasswordInput {
  /** e-mail address; case does not matter */
  email: string
  /** the reset code from the mail: 12 characters */
  otp: string
  /** password of 8 to 128 characters, any characters */
  password: string
}

export interface UserResetPasswordData {
  /** the result, and the next step */
  message: string
}

export interface UserChangePasswordInput {
  /** the account’s password */
  password: string
  /** password of 8 to 128 characters, any characters */
  new_password: string
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserChangePasswordData {
  /** the result, and the next step */
  message: string
}

export interface UserMfaSetupInput {
  /** the account’s password */
  password: string
}

export interface UserMfaSetupData {
  /** the shared secret, base32 */
  secret: string
  /** the same as an otpauth:// URL, for a QR code */
  otpauth_url: string
}

export interface UserMfaEnableInput {
  /** code of 6 digits from the authenticator app, or a recovery code */
  code: string
}

export interface UserMfaEnableData {
  /** ten recovery codes, each for one use */
  recovery_codes: string[]
}

export interface UserMfaDisableInput {
  /** code of 6 digits from the authenticator app, or a recovery code */
  code: string
}

export interface UserMfaDisableData {
  /** always false */
  mfa_enabled: boolean
}

export interface UserExportInput {
  /** `next_cursor` of the previous page, valid for an hour */
  cursor?: string
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserExportData {
  /** records of each kind, the oldest first */
  records: ({
    /** the kind of the record */
    kind: 'account' | 'api_key' | 'team_key' | 'registration' | 'password_reset' | 'recovery_code' | 'notice' | 'mail' | 'ledger' | 'lot' | 'idempotency_key' | 'approval' | 'event' | 'refusal' | 'failed_attempt' | 'history'
    /** the columns of the record; times in ISO 8601, UTC */
    values: Record<string, unknown>
  })[]
  /** send it as `cursor` to get the next page; null on the last page */
  next_cursor: string | null
}

export interface UserDeleteInput {
  /** the account’s password */
  password: string
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserDeleteData {
  /** the result, and the next step */
  message: string
}

export interface UserKeysData {
  /** team keys, newest first */
  items: UserKeysUpdateData[]
}

export interface UserKeysCreateInput {
  /** name of the key, 1 to 100 printable characters */
  name: string
  /** paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all */
  paths?: string[] | null
  /** IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all */
  allowed_ips?: string[] | null
  /** credits that the key may spend in a period; null: as many as the account has */
  credit_cap?: number | null
  /** when the cap renews: `total` never, `day` at midnight UTC, `month` at midnight UTC of the first of the month; null: `total` */
  cap_period?: 'total' | 'day' | 'month' | null
  /** requests to computations an hour, within the limits of the account; null: only those */
  hourly_limit?: number | null
  /** when the key ends; null: never */
  expires_at?: string | null
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserKeysCreateData {
  /** the API key, in full; send it as X-API-Key */
  key: string
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** name of the key */
  name: string
  /** first characters of the newest key */
  prefix: string
  /** last four characters of the newest key */
  last4: string
  /** whether the key is accepted */
  state: 'active' | 'expired' | 'revoked'
  /** paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all */
  paths: string[] | null
  /** IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all */
  allowed_ips: string[] | null
  /** credits that the key may spend in a period; null: as many as the account has */
  credit_cap: number | null
  /** when the cap renews; null: there is no cap */
  cap_period: 'total' | 'day' | 'month' | null
  /** when the cap renews next; null: never */
  cap_resets_at: string | null
  /** credits spent in the present period of the cap */
  spent: number
  /** credits spent by the key and those that it replaced */
  spent_total: number
  /** requests to computations an hour, within the limits of the account; null: only those */
  hourly_limit: number | null
  /** when the key was created (ISO 8601, UTC) */
  created_at: string
  /** when the key ends; null: never */
  expires_at: string | null
  /** when the key was last used, to the minute; null: never */
  last_used_at: string | null
}

export interface UserKeysUpdateInput {
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** name of the key, 1 to 100 printable characters */
  name?: string
  /** paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all */
  paths?: string[] | null
  /** IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all */
  allowed_ips?: string[] | null
  /** credits that the key may spend in a period; null: as many as the account has */
  credit_cap?: number | null
  /** when the cap renews: `total` never, `day` at midnight UTC, `month` at midnight UTC of the first of the month; null: `total` */
  cap_period?: 'total' | 'day' | 'month' | null
  /** requests to computations an hour, within the limits of the account; null: only those */
  hourly_limit?: number | null
  /** when the key ends; null: never */
  expires_at?: string | null
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export interface UserKeysUpdateData {
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** name of the key */
  name: string
  /** first characters of the newest key */
  prefix: string
  /** last four characters of the newest key */
  last4: string
  /** whether the key is accepted */
  state: 'active' | 'expired' | 'revoked'
  /** paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all */
  paths: string[] | null
  /** IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all */
  allowed_ips: string[] | null
  /** credits that the key may spend in a period; null: as many as the account has */
  credit_cap: number | null
  /** when the cap renews; null: there is no cap */
  cap_period: 'total' | 'day' | 'month' | null
  /** when the cap renews next; null: never */
  cap_resets_at: string | null
  /** credits spent in the present period of the cap */
  spent: number
  /** credits spent by the key and those that it replaced */
  spent_total: number
  /** requests to computations an hour, within the limits of the account; null: only those */
  hourly_limit: number | null
  /** when the key was created (ISO 8601, UTC) */
  created_at: string
  /** when the key ends; null: never */
  expires_at: string | null
  /** when the key was last used, to the minute; null: never */
  last_used_at: string | null
}

export interface UserKeysRotateInput {
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** seconds for which the old key is accepted beside the new one; 0 … 604,800; default 0 */
  overlap_seconds?: number
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export type UserKeysRotateData = UserKeysCreateData

export interface UserKeysRevokeInput {
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** code of 6 digits from the authenticator app, or a recovery code */
  mfa_code?: string
}

export type UserKeysRevokeData = UserKeysUpdateData

export interface UserCreditsData {
  /** current balance */
  credits: number
  /** credits that the operator took back and the balance did not hold; later grants pay it first */
  debt?: number
  /** sum of all grants and transfers, less credits that expired or were taken back */
  granted: number
  /** sum of all charges less refunds */
  spent: number
  /** the part of the balance that expires, the soonest first, which is spent first */
  lots?: {
    /** how many are left */
    credits: number
    /** when they expire (ISO 8601, UTC) */
    expires_at: string
  }[]
  /** of a team key: credits that it may spend in a period; absent: no cap */
  cap?: number
  /** of a team key: credits of the cap that are not spent */
  cap_left?: number
  /** of a team key: when the cap renews; absent: never (ISO 8601, UTC) */
  cap_resets_at?: string
  /** limits of computations, which all keys of the account share */
  windows: ({
    /** its length; work: processor time in an hour */
    name: 'hour' | 'day' | 'work'
    /** computations in it; of work: processor seconds */
    limit: number
    /** those made or used */
    used: number
    /** when it is over; absent: none runs (ISO 8601, UTC) */
    resets_at?: string
  })[]
  /** credits that the account received; negative: that it lost without a call */
  grants: {
    /** when (ISO 8601, UTC) */
    at: string
    /** how many */
    credits: number
    /** why, for example verification, guest_creation, transfer_in, expired, reversal */
    reason: string
  }[]
}

export interface UserNoticesData {
  /** the thresholds, the highest first */
  credits: number[]
}

export interface UserNoticesSetInput {
  /** balances at which a mail is sent; empty: none; at most 10 items, each 0 … 1,000,000,000 */
  credits: Numbers
}

export interface UserNoticesSetData {
  /** the thresholds, the highest first */
  credits: number[]
}

export interface UserUsageInput {
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
  /** only calls of this path, for example /quantlib/pricing/bs/price */
  path?: string
  /** only calls with this outcome: success, failure, or an HTTP status such as 422 */
  status?: string
  /** only calls of this day, UTC, YYYY-MM-DD */
  day?: string
  /** only calls at this time or later: a day, which means its beginning, or a time with its zone (ISO 8601) */
  from?: string
  /** only calls before this time: a day, which means its beginning, or a time with its zone (ISO 8601) */
  to?: string
  /** only calls of the team key with this id; 1 … 2⁵³ − 1 */
  key?: number
  /** only calls with this X-Request-Id */
  request_id?: string
}

export interface UserUsageData {
  /** computations, newest first */
  items: {
    /** when (ISO 8601, UTC) */
    at: string
    /** path of the endpoint */
    path: string
    /** HTTP status of the reply */
    status: number
    /** credits charged */
    credits: number
    /** IP address of the client */
    ip: string
    /** duration in milliseconds */
    duration_ms: number
    /** X-Request-Id of the reply */
    request_id: string
    /** of a team key: its id */
    key_id?: number
    /** of a team key: its name */
    key_name?: string
  }[]
  /** send it as `cursor` to get the next page; null on the last page */
  next_cursor: string | null
}

export interface UserUsageSummaryInput {
  /** only calls of the team key with this id; 1 … 2⁵³ − 1 */
  key?: number
}

export interface UserUsageSummaryData {
  /** totals by endpoint */
  by_endpoint: {
    /** path of the endpoint */
    path: string
    /** computations */
    calls: number
    /** credits charged */
    credits: number
  }[]
  /** totals by day */
  by_day: {
    /** day, UTC, YYYY-MM-DD */
    day: string
    /** computations */
    calls: number
    /** credits charged */
    credits: number
  }[]
  /** totals of the team keys that were used */
  by_key?: {
    /** id of the team key */
    key_id: number
    /** its name */
    key_name: string
    /** computations */
    calls: number
    /** credits charged */
    credits: number
  }[]
}

export interface UserReceiptInput {
  /** X-Request-Id of the reply */
  request_id: string
}

export interface UserReceiptData {
  /** version of the format: 1 */
  quantd_receipt: number
  leaf: {
    /** number of the account */
    account: number
    /** salted digest of the client address, hexadecimal */
    address: string
    /** when, in epoch milliseconds */
    at: number
    /** computations in it */
    calls: number
    /** failure code */
    code: string | null
    /** digest of the request and of the result, hexadecimal */
    content: string | null
    /** credits charged */
    credits: number
    /** of a batch: calls and credits by path, as JSON */
    detail: string | null
    /** duration in milliseconds */
    duration_ms: number
    /** id of the audit row */
    id: string
    /** number of the API key */
    key: number | null
    /** computation */
    kind: string
    /** HTTP method */
    method: string
    /** path of the endpoint */
    path: string
    /** whether an idempotency key repeated it */
    replayed: boolean
    /** X-Request-Id of the reply */
    request_id: string
    /** HTTP status of the reply */
    status: number
    /** version of the service */
    version: string
  }
  /** place of the row in its group, from 0 */
  index: number
  /** hashes from the row to the root of its group */
  path: string[]
  group: {
    /** time of its rows, in epoch milliseconds */
    at: number
    /** rows in it */
    leaves: number
    /** its place in the stream, from 1 */
    number: number
    /** link of the group before it, hexadecimal */
    previous: string
    /** number of the stream */
    stream: number
  }
  /** hashes from the group to the root in the checkpoint */
  way: string[]
  checkpoint: {
    /** when, in epoch milliseconds */
    at: number
    /** the database's clock, where it was behind `at`: the times of the rows are doubtful */
    clock?: number
    /** rows from before may have been deleted by retention */
    kept_from: number
    /** id of the key that signs it */
    key: string
    /** at a rotation: id of the key that signs the next one */
    next_key?: string
    /** its number, from 1 */
    number: number
    /** hash of the checkpoint before it, hexadecimal */
    previous: string | null
    /** rows from before have no proof */
    proven_from: number
    /** id of the database */
    service: string
    /** the groups that it adds */
    streams: {
      /** first group */
      first: number
      /** last group */
      last: number
      /** link of the last group, hexadecimal */
      head: string
      /** root of the tree of these groups, hexadecimal */
      root: string
      /** number of the stream */
      stream: number
    }[]
  }
  /** of the checkpoint */
  signatures: {
    /** id of the key */
    key: string
    /** Ed25519, base64url */
    signature: string
  }[]
}

export interface HealthzData {
  /** ok */
  status: string
}

export interface ReadyzData {
  /** ready */
  status: string
  /** how the database replicates to standbys; asynchronous: a failover may lose calls that were answered */
  replication: string | string | string
}

export interface VersionData {
  /** quantd */
  name: string
  /** version, semantic versioning */
  version: string
}

export interface QuantdKeysData {
  /** the keys */
  keys: ({
    /** first 16 digits of the SHA-256 of the key, hexadecimal */
    id: string
    /** Ed25519 */
    algorithm: string
    /** 32 bytes, base64url */
    public_key: string
    /** first time at which it signs, in epoch milliseconds */
    from: number
    /** when another key took its place; null: it signs now */
    until: number | null
  })[]
}

/** One method per endpoint. */
export interface Methods {
  /** Variance Gamma price. Price of a European call under Variance Gamma (Madan, Carr & Chang 1998): the log price is a Brownian motion with drift theta_vg and volatility sigma, evaluated at a gamma time of mean rate 1 and variance rate nu. Requires 1 − theta_vg·nu − sigma²·nu/2 > 0. */
  modelsVarianceGammaPrice(input: ModelsVarianceGammaPriceInput, options?: CallOptions): Call<ModelsVarianceGammaPriceData>
  /** Black–Scholes price. Price of a European option under Black–Scholes–Merton. The dividend yield is continuous, and the relative error at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility 0 the discounted payoff of the forward. */
  pricingBsPrice(input: PricingBsPriceInput, options?: CallOptions): Call<PricingBsPriceData>
  /** Black–Scholes Greeks. Greeks of a European option under Black–Scholes–Merton: with a continuous dividend yield, to a relative 1e-14 (theta, charm and color: of the largest of their terms; where d₁ or d₂ is a factor, it counts as at least 0.01) however far out of the money. Vanna to color are absent where they are beyond the range of double precision. Maturity 0 or volatility 0 gives the derivatives of the discounted payoff of the forward, which is refused only where the forward equals the strike: there delta jumps and gamma is infinite. Closed forms: Black & Scholes 1973, eq. 14, and the other derivatives of their eq. 13; Merton 1973, section 7. */
  pricingBsGreeks(input: PricingBsGreeksInput, options?: CallOptions): Call<PricingBsGreeksData>
  /** Black–Scholes implied volatility. Implied volatility of a European option (under Black–Scholes–Merton with a continuous dividend yield, after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c = price/(vega·volatility); the answer is that for the price as given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c. Prices are compared with the exact no-arbitrage bounds: above the lower one by however little, the answer is above 0. The bound itself gives 0, and so does a price that differs from it only by rounding: one below it by no more than a change of the price by 2⁻⁵¹ of itself, as a price that was computed may be off, and of each other input by 2⁻⁵³ of itself, or, without rates, one that equals spot less strike (strike less spot) in decimals of at most 15 digits, such as 22.39 for 65.53 and 43.14. A price below that, or not below the upper bound, is refused. */
  pricingBsImpliedVolatility(input: PricingBsImpliedVolatilityInput, options?: CallOptions): Call<PricingBsImpliedVolatilityData>
  /** Numerical derivative. Finite difference of a built-in function: central, forward or backward, divided by the difference of the two rounded points. x2 is x², x3 is x³. */
  numericalDifferentiationDerivative(input: NumericalDifferentiationDerivativeInput, options?: CallOptions): Call<NumericalDifferentiationDerivativeData>
  /** Credit discrimination. How well a score tells defaults apart: area under the ROC curve (Mann–Whitney, ties count one half), Gini coefficient and Kolmogorov–Smirnov statistic of a score against defaults; a higher score means a higher risk. */
  mlCreditDiscrimination(input: MlCreditDiscriminationInput, options?: CallOptions): Call<MlCreditDiscriminationData>
  /** Outlier detection. Rows with an outlier in some column: by population standard deviations from the mean (zscore), by interquartile ranges beyond the type-7 quartiles (iqr), or by 0.6745·|x − median|/MAD (mad). A constant column flags nothing. */
  mlPreprocessingOutliers(input: MlPreprocessingOutliersInput, options?: CallOptions): Call<MlPreprocessingOutliersData>
  /** Logarithmic utility. Logarithmic utility of wealth: u(w) = ln w, its derivative 1/w and the Arrow–Pratt coefficients of absolute and relative risk aversion. */
  economicsUtilityLog(input: EconomicsUtilityLogInput, options?: CallOptions): Call<EconomicsUtilityLogData>
  /** Rating migration matrix. Transition probabilities from counts (cohort method) and their projection over several periods as a Markov chain. A rating without counts is absorbing. */
  mlCreditMigration(input: MlCreditMigrationInput, options?: CallOptions): Call<MlCreditMigrationData>
  /** Shannon entropy. Entropy −Σ p·log(p) of a distribution. The logarithm may have any base: e gives nats, 2 bits, 10 dits; a base below 1 gives a negative entropy. The probabilities are used as they are, not rescaled to the sum 1. */
  physicsEntropyShannon(input: PhysicsEntropyShannonInput, options?: CallOptions): Call<PhysicsEntropyShannonData>
  /** Isolation forest. Anomaly scores of rows by isolation forest (Liu, Ting & Zhou 2008), with trees grown on samples of at most 256 rows. The same request gives the same answer on every machine. */
  mlClusteringIsolationForest(input: MlClusteringIsolationForestInput, options?: CallOptions): Call<MlClusteringIsolationForestData>
  /** Credit validation. How well probabilities of default rank and fit: ROC area, Brier score, calibration, Hosmer–Lemeshow test. The area’s error is that of DeLong, DeLong & Clarke-Pearson (1988), the decomposition that of Murphy (1973), which leaves out what varies within bins. A probability that holds 1/n_bins of the rows or more has a bin of its own; Hosmer–Lemeshow is absent if a bin expects 0 or all defaults and differs; a bin that agrees adds 0. */
  mlCreditValidation(input: MlCreditValidationInput, options?: CallOptions): Call<MlCreditValidationData>
  /** Variance Gamma Greeks. Price and Greeks of a European option under Variance Gamma (Madan, Carr & Chang 1998). Refused at T = 0, and where gamma is infinite. */
  modelsVarianceGammaGreeks(input: ModelsVarianceGammaGreeksInput, options?: CallOptions): Call<ModelsVarianceGammaGreeksData>
  /** Score stability. Population stability index of a score between two samples; by bins, with labels weights of evidence and information value. A share below 0.0001 counts as 0.0001 in logarithms and differences, without renormalising; quantile bins are the same for negated scores, and a score that holds 1/n_bins of expected or more has a bin of its own; rows may have weights; monotone bins pool adjacent violators (Ayer et al. 1955). Index: Siddiqi (2006, ch. 8); weights of evidence: Good (1950). */
  mlCreditStability(input: MlCreditStabilityInput, options?: CallOptions): Call<MlCreditStabilityData>
  /** Isolation forest fit. Grows an isolation forest (Liu, Ting & Zhou 2008) and returns it as a text, to score rows later. The service keeps nothing of it. The text has a version and a checksum, and is not secret: whoever has it sees some values of X, and column names. */
  mlClusteringIsolationForestFit(input: MlClusteringIsolationForestFitInput, options?: CallOptions): Call<MlClusteringIsolationForestFitData>
  /** Isolation forest score. Anomaly scores of rows by a fitted forest: on the rows of the fit those of the single request, bit by bit. An attribution is the column’s part of the row’s mean path length: the tests of a path share its length by how much each shortened the path to be expected, so the largest parts of an anomalous row are of the columns that set it apart. */
  mlClusteringIsolationForestScore(input: MlClusteringIsolationForestScoreInput, options?: CallOptions): Call<MlClusteringIsolationForestScoreData>
  /** Rating migration generator. Rates of rating migration in continuous time, and probabilities of default. By the logarithm of the cohort matrix (Israel, Rosenthal & Wei 2001), each row replaced by the nearest of a generator (Kreinin & Sidelnikova 2001), or by durations: transitions per rating-year. The last rating is default, and absorbing. */
  mlCreditMigrationGenerator(input: MlCreditMigrationGeneratorInput, options?: CallOptions): Call<MlCreditMigrationGeneratorData>
  /** American price. Price and Greeks of an American option. They are exact to a relative 1e-10 (delta 1e-8; gamma and theta 1e-7 of the greater of gamma and 1/(spot·σ√T); vega and rhos 1e-7 of the greater of the American and the European one). Computed under Black–Scholes–Merton by the integral over the exercise boundary (Andersen, Lake & Offengenden 2016; with two boundaries Andersen & Lake 2021), or without maturity where exercise is certain before. Refused where many deviations of drift reach the boundary just at maturity, or two boundaries. */
  pricingAmericanPrice(input: PricingAmericanPriceInput, options?: CallOptions): Call<PricingAmericanPriceData>
  /** American exercise boundary. Spot prices at which an American option is exercised. They are given by time to maturity, to a relative 1e-8. With negative rates none, or two. */
  pricingAmericanBoundary(input: PricingAmericanBoundaryInput, options?: CallOptions): Call<PricingAmericanBoundaryData>
  /** American implied volatility. Implied volatility of an American option. The relative error is at most 1e-10·price/(vega·volatility). The least price, without volatility, gives 0. */
  pricingAmericanImpliedVolatility(input: PricingAmericanImpliedVolatilityInput, options?: CallOptions): Call<PricingAmericanImpliedVolatilityData>
  /** Variance Gamma calibration. Parameters that fit quoted prices (Madan, Carr & Chang 1998): those with the least weighted squares, by Levenberg–Marquardt (Moré 1978) from 25 starts and across strikes next to the density’s singularity. Implied volatilities are turned into prices. The condition number is that of the derivatives by ln sigma, theta_vg·√nu/sigma and ln nu; from 1e7 on, and where no search settles to 1e-6, as sigma or nu tends to 0 or prices are tiny, the parameters count as not identifiable. */
  modelsVarianceGammaCalibrate(input: ModelsVarianceGammaCalibrateInput, options?: CallOptions): Call<ModelsVarianceGammaCalibrateData>
  /** Forward option Greeks. Greeks of an option on a forward (derivatives of its price at a fixed forward), to a relative 1e-13 (theta, charm and color: of their largest term; where a distance in deviations is a factor, it counts as at least 0.01). Refused at the kink of a payoff. Vanna to color are absent where they are beyond the range of double precision. */
  pricingForwardGreeks(input: PricingForwardGreeksInput, options?: CallOptions): Call<PricingForwardGreeksData>
  /** Forward option implied volatility. Implied volatility of an option on a forward. The relative error is at most 1e-13 + 2⁻⁷⁰·price/(vega·volatility). The lower bound, to rounding, gives 0. */
  pricingForwardImpliedVolatility(input: PricingForwardImpliedVolatilityInput, options?: CallOptions): Call<PricingForwardImpliedVolatilityData>
  /** Forward option price. Price of a European option on a forward or future (Black 1976; Bachelier 1900, where prices may be below 0), with a relative error of at most 1e-13. */
  pricingForwardPrice(input: PricingForwardPriceInput, options?: CallOptions): Call<PricingForwardPriceData>
  /** Rating history. Counts of rating moves from histories; the input of migration and migration-generator. Rows come in any order; of several of an entity and time the last one given holds, until its next time. By cohorts that are looked at each period (Jarrow, Lando & Turnbull 1997), or by durations with the years in each rating (Lando & Skødeberg 2002). A date is its midnight in UTC; a year of dates has 365.25 days. Default is never left. */
  mlCreditRatingHistory(input: MlCreditRatingHistoryInput, options?: CallOptions): Call<MlCreditRatingHistoryData>
  /** Create a guest key. Returns a key that is valid for 24 hours and has 50 credits. No e-mail address is needed. Guest keys are limited to 60 computations per hour and 50 per day. */
  guestCreate(input: GuestCreateInput, options?: CallOptions): Call<GuestCreateData>
  /** Register. Starts a registration and sends a one-time code to the address. The reply does not tell whether the address already has an account. Send its `registration` with the code to /user/verify-otp: then exactly this registration, with its password, is confirmed, whoever else registered the address. A guest key in `guest_api_key` is merged into the account on verification: its remaining credits and its history move to the account, and the guest key stops working. */
  userRegister(input: UserRegisterInput, options?: CallOptions): Call<UserRegisterData>
  /** Verify the address. Confirms the registration with the mailed code and returns the permanent key of the new account, which starts with the credits that the operator has set (350 by default). A code has 6 digits, is valid for 10 minutes, can be used once and allows 5 attempts. With `registration`, exactly that registration is confirmed. Without it, the one whose mail carried the code is; its password is then kept only if it is the only registration of the address, its code was mailed at registration, and both requests come from the same client address. Otherwise the account has no password until one is set with /user/forgot-password, and the message says so. */
  userVerifyOtp(input: UserVerifyOtpInput, options?: CallOptions): Call<UserVerifyOtpData>
  /** Send the code again. Sends a new code for the registration that `registration` names, or for the newest of the address. Within 60 seconds of the last mail the reply is the same, but no mail is sent. */
  userResendOtp(input: UserResendOtpInput, options?: CallOptions): Call<UserResendOtpData>
  /** Log in. Returns the current key of the account. Use it to recover a lost key. If the second factor is on, `mfa_code` is required. If wrong passwords from other client addresses have used up the limit of the address, /user/reset-password ends the wait for the client address that it is sent from. */
  userLogin(input: UserLoginInput, options?: CallOptions): Call<UserLoginData>
  /** Replace the key. Returns a new key; the old key is refused from the next request on. The body may be absent unless the second factor is on, which requires `mfa_code`. Guest keys cannot be replaced. */
  userRegenerateApiKey(input?: UserRegenerateApiKeyInput, options?: CallOptions): Call<UserRegenerateApiKeyData>
  /** Profile. Returns the account that the key belongs to. Guests have no user_id, address or name. */
  userProfile(options?: CallOptions): Call<UserProfileData>
  /** Forgot password. Sends a reset code to the address if it has an account. The reply does not tell whether it has one. */
  userForgotPassword(input: UserForgotPasswordInput, options?: CallOptions): Call<UserForgotPasswordData>
  /** Reset the password. Sets a new password with the mailed code. The API key does not change. From this client address, guesses at the password from elsewhere no longer stop logins. */
  userResetPassword(input: UserResetPasswordInput, options?: CallOptions): Call<UserResetPasswordData>
  /** Change the password. Sets a new password. The current password is required and, if the second factor is on, `mfa_code`. */
  userChangePassword(input: UserChangePasswordInput, options?: CallOptions): Call<UserChangePasswordData>
  /** Set up a second factor. Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). Confirm a first code with /user/mfa/enable to switch the second factor on. */
  userMfaSetup(input: UserMfaSetupInput, options?: CallOptions): Call<UserMfaSetupData>
  /** Switch the second factor on. Confirms the first code of the authenticator app and returns ten recovery codes. Each can be used once in place of a code. They are not shown again. */
  userMfaEnable(input: UserMfaEnableInput, options?: CallOptions): Call<UserMfaEnableData>
  /** Switch the second factor off. Switches the second factor off. Requires a code of the authenticator app or a recovery code. */
  userMfaDisable(input: UserMfaDisableInput, options?: CallOptions): Call<UserMfaDisableData>
  /** Export the account. Returns all that is kept about the account and the guests it took over, kind by kind, at most 1000 records a page. A page may hold fewer, or none, and still have a `next_cursor`. Keys are without their secrets; texts of mails are not kept. There are no sessions: a client is logged in by its key. If the second factor is on, the first page requires `mfa_code`. */
  userExport(input?: UserExportInput, options?: CallOptions): Call<UserExportData>
  /** Delete the account. Deletes the account at once and for good. Its keys are refused, its credits expire, and its address, names, devices, client addresses and secrets are erased. Its calls and movements of credits stay without its owner, so that the ledger adds up. The password is required and, if the second factor is on, `mfa_code`. */
  userDelete(input: UserDeleteInput, options?: CallOptions): Call<UserDeleteData>
  /** Team keys. Lists the team keys of the account, the newest first and revoked ones last, with what each may call, has spent and when it was last used. */
  userKeys(options?: CallOptions): Call<UserKeysData>
  /** Create a team key. Creates a further key of the account, for a person or a program, and shows it this once. It may call computations and read its own usage; the account pays, within the cap of the key. The windows of the account count the requests of all its keys. */
  userKeysCreate(input: UserKeysCreateInput, options?: CallOptions): Call<UserKeysCreateData>
  /** Change a team key. Changes the settings that are sent and keeps the others; null lifts a limit. The credits that the key has spent in the present period stay counted. */
  userKeysUpdate(input: UserKeysUpdateInput, options?: CallOptions): Call<UserKeysUpdateData>
  /** Rotate a team key. Returns a new key with the same id, settings and spending. All older ones are refused at the end of the overlap, by default from the next request on, or at the end of their own if that is sooner. */
  userKeysRotate(input: UserKeysRotateInput, options?: CallOptions): Call<UserKeysRotateData>
  /** Revoke a team key. Ends every key with this id, those of overlapping rotations too: they are refused from the next request on. It cannot be undone. */
  userKeysRevoke(input: UserKeysRevokeInput, options?: CallOptions): Call<UserKeysRevokeData>
  /** Credits. Returns the balance, the credits granted and the credits spent, and the use of the limits at the moment. Open to guests. */
  userCredits(options?: CallOptions): Call<UserCreditsData>
  /** Notices. Lists the balances at which the owner gets a mail. */
  userNotices(options?: CallOptions): Call<UserNoticesData>
  /** Set the notices. Replaces the balances at which the owner gets a mail. A mail is sent within seconds of a fall to a threshold or below it, once for each fall, and at most one an hour for each threshold: if the balance has risen and fallen again within the hour, the mail follows when the hour is over. */
  userNoticesSet(input: UserNoticesSetInput, options?: CallOptions): Call<UserNoticesSetData>
  /** Usage history. Lists all admitted computations, newest first, including failures and replays, which cost 0 credits. A team key sees its own calls only. Filters are combined; with `path`, `status` or `key` a page may hold fewer items than `limit`, or none, and still have a `next_cursor`. Registered accounts only. */
  userUsage(input?: UserUsageInput, options?: CallOptions): Call<UserUsageData>
  /** Usage summary. Returns the number of computations and the credits charged, by endpoint and by day, over the same rows as the usage history. Open to guests. */
  userUsageSummary(input?: UserUsageSummaryInput, options?: CallOptions): Call<UserUsageSummaryData>
  /** Receipt. Returns the receipt of a computation: its audit row, and the proof that a signed checkpoint contains it. Keep the `data` as a file; with the keys of `/.well-known/quantd-keys.json` it can be checked without the service. Where several calls have the request id, the newest counts. A team key gets receipts of its own calls only. Open to guests. */
  userReceipt(input: UserReceiptInput, options?: CallOptions): Call<UserReceiptData>
  /** Liveness. Replies as long as the process runs. */
  healthz(options?: CallOptions): Call<HealthzData>
  /** Readiness. Replies 200 if requests can be served, 503 while the database cannot commit or the service is stopping. */
  readyz(options?: CallOptions): Call<ReadyzData>
  /** Version. Name and version of the running service. */
  version(options?: CallOptions): Call<VersionData>
  /** Keys of receipts. The public keys that sign the checkpoints of receipts, the oldest first, with the times at which they sign. Keep them: a receipt is checked against keys that were fetched before. */
  quantdKeys(options?: CallOptions): Call<QuantdKeysData>
}

/** Input and data of each computation, by the name of its method. */
export interface Computations {
  modelsVarianceGammaPrice: { input: ModelsVarianceGammaPriceInput; data: ModelsVarianceGammaPriceData }
  pricingBsPrice: { input: PricingBsPriceInput; data: PricingBsPriceData }
  pricingBsGreeks: { input: PricingBsGreeksInput; data: PricingBsGreeksData }
  pricingBsImpliedVolatility: { input: PricingBsImpliedVolatilityInput; data: PricingBsImpliedVolatilityData }
  numericalDifferentiationDerivative: { input: NumericalDifferentiationDerivativeInput; data: NumericalDifferentiationDerivativeData }
  mlCreditDiscrimination: { input: MlCreditDiscriminationInput; data: MlCreditDiscriminationData }
  mlPreprocessingOutliers: { input: MlPreprocessingOutliersInput; data: MlPreprocessingOutliersData }
  economicsUtilityLog: { input: EconomicsUtilityLogInput; data: EconomicsUtilityLogData }
  mlCreditMigration: { input: MlCreditMigrationInput; data: MlCreditMigrationData }
  physicsEntropyShannon: { input: PhysicsEntropyShannonInput; data: PhysicsEntropyShannonData }
  mlClusteringIsolationForest: { input: MlClusteringIsolationForestInput; data: MlClusteringIsolationForestData }
  mlCreditValidation: { input: MlCreditValidationInput; data: MlCreditValidationData }
  modelsVarianceGammaGreeks: { input: ModelsVarianceGammaGreeksInput; data: ModelsVarianceGammaGreeksData }
  mlCreditStability: { input: MlCreditStabilityInput; data: MlCreditStabilityData }
  mlClusteringIsolationForestFit: { input: MlClusteringIsolationForestFitInput; data: MlClusteringIsolationForestFitData }
  mlClusteringIsolationForestScore: { input: MlClusteringIsolationForestScoreInput; data: MlClusteringIsolationForestScoreData }
  mlCreditMigrationGenerator: { input: MlCreditMigrationGeneratorInput; data: MlCreditMigrationGeneratorData }
  pricingAmericanPrice: { input: PricingAmericanPriceInput; data: PricingAmericanPriceData }
  pricingAmericanBoundary: { input: PricingAmericanBoundaryInput; data: PricingAmericanBoundaryData }
  pricingAmericanImpliedVolatility: { input: PricingAmericanImpliedVolatilityInput; data: PricingAmericanImpliedVolatilityData }
  modelsVarianceGammaCalibrate: { input: ModelsVarianceGammaCalibrateInput; data: ModelsVarianceGammaCalibrateData }
  pricingForwardGreeks: { input: PricingForwardGreeksInput; data: PricingForwardGreeksData }
  pricingForwardImpliedVolatility: { input: PricingForwardImpliedVolatilityInput; data: PricingForwardImpliedVolatilityData }
  pricingForwardPrice: { input: PricingForwardPriceInput; data: PricingForwardPriceData }
  mlCreditRatingHistory: { input: MlCreditRatingHistoryInput; data: MlCreditRatingHistoryData }
}

/** The computations of which one request takes many rows. */
export interface ColumnComputations {
  modelsVarianceGammaPrice: { input: ModelsVarianceGammaPriceInput; data: ModelsVarianceGammaPriceData }
  pricingBsPrice: { input: PricingBsPriceInput; data: PricingBsPriceData }
  pricingBsGreeks: { input: PricingBsGreeksInput; data: PricingBsGreeksData }
  pricingBsImpliedVolatility: { input: PricingBsImpliedVolatilityInput; data: PricingBsImpliedVolatilityData }
  numericalDifferentiationDerivative: { input: NumericalDifferentiationDerivativeInput; data: NumericalDifferentiationDerivativeData }
  economicsUtilityLog: { input: EconomicsUtilityLogInput; data: EconomicsUtilityLogData }
  modelsVarianceGammaGreeks: { input: ModelsVarianceGammaGreeksInput; data: ModelsVarianceGammaGreeksData }
  pricingAmericanPrice: { input: PricingAmericanPriceInput; data: PricingAmericanPriceData }
  pricingAmericanImpliedVolatility: { input: PricingAmericanImpliedVolatilityInput; data: PricingAmericanImpliedVolatilityData }
  pricingForwardGreeks: { input: PricingForwardGreeksInput; data: PricingForwardGreeksData }
  pricingForwardImpliedVolatility: { input: PricingForwardImpliedVolatilityInput; data: PricingForwardImpliedVolatilityData }
  pricingForwardPrice: { input: PricingForwardPriceInput; data: PricingForwardPriceData }
}
