/** Labels of fields and choices that differ from their names in JSON. */

const labels: Readonly<Record<string, string>> = {
  // computations
  spot: 'Spot price',
  strike: 'Strike price',
  risk_free_rate: 'Risk-free rate',
  S: 'Spot price',
  K: 'Strike price',
  T: 'Time to maturity',
  r: 'Risk-free rate',
  q: 'Dividend yield',
  sigma: 'Volatility',
  theta_vg: 'Drift of the Brownian motion',
  nu: 'Variance rate',
  vg_call_price: 'Call price',
  d_sigma: 'By volatility',
  d_theta_vg: 'By drift',
  d_nu: 'By variance rate',
  rmse: 'Root mean square error',
  per_maturity: 'Fit each expiry too',
  func_name: 'Function',
  x: 'Point',
  h: 'Step size',
  y_true: 'Labels (1 = default)',
  y_score: 'Scores',
  y_prob: 'Probabilities of default',
  n_bins: 'Bins',
  expected: 'Expected scores',
  actual: 'Actual scores',
  sample: 'Sample of the row',
  edges: 'Bounds of the bins',
  expected_y_true: 'Expected labels (1 = default)',
  actual_y_true: 'Actual labels (1 = default)',
  weights: 'Weights of the rows',
  psi: 'Population stability index',
  expected_calibration_error: 'Calibration error',
  hosmer_lemeshow_p_value: 'Hosmer–Lemeshow p-value',
  gini: 'Gini coefficient',
  ks_statistic: 'KS statistic',
  auc_roc: 'Area under ROC',
  transitions: 'Transition counts',
  from: 'Rating before',
  to: 'Rating after',
  exposures: 'Rating-years',
  transition_matrix: 'One period',
  multi_period_matrix: 'All periods',
  X: 'Observations',
  outliers: 'Outlier',
  outlier_indices: 'Outlier rows',
  max_samples: 'Rows of a sample',
  attributions: 'Attributions to columns',
  n_trees: 'Trees',
  contamination: 'Share of anomalies',
  random_state: 'Random seed',
  anomaly_scores: 'Anomaly score',
  predictions: 'Prediction',
  base: 'Base of the logarithm',
  shannon_entropy: 'Entropy',
  // accounts
  username: 'Name',
  full_name: 'Name',
  email: 'E-mail address',
  otp: 'Code',
  mfa_code: 'Code of the second factor',
  api_key: 'API key',
  device_id: 'Device ID',
  credit_cap: 'Cap in credits',
}

/** A text cut to at most `most` characters. */
export const clipped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** The label of a field; that of a name that is not listed is made of its words: `by_day` gives By day. */
export const labelOf = (name: string): string => labels[name] ?? capitalised(name.replaceAll('_', ' '))

/** A text in which labels replace names with underscores. */
export const withLabels = (text: string): string =>
  text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (name) => labels[name] ?? name)

/** A message of the service, which begins with the name of a field, with labels in place of names. */
export const labelled = (message: string): string => withLabels(message.replace(/^\w+(?= )/, labelOf))

const words: Readonly<Record<string, string>> = {
  false: 'No',
  true: 'Yes',
  black_76: 'Black-76',
  zscore: 'Standard deviations',
  iqr: 'Interquartile range',
  mad: 'Median deviation',
  x2: 'x²',
  x3: 'x³',
  log: 'ln x',
  exp: 'eˣ',
  sin: 'sin x',
  cos: 'cos x',
  tan: 'tan x',
  sqrt: '√x',
  total: 'in all',
  day: 'each day',
  month: 'each month',
}

/** The label of a choice of a field. */
export const wordFor = (choice: unknown): string => words[String(choice)] ?? capitalised(String(choice))

export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
