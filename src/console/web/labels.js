/** Names for people, in place of the names in JSON. */

const labels = {
  // computations
  spot: 'Spot price',
  strike: 'Strike price',
  risk_free_rate: 'Risk-free rate',
  volatility: 'Volatility',
  time_to_maturity: 'Time to maturity',
  dividend_yield: 'Dividend yield',
  option_type: 'Option type',
  price: 'Price',
  implied_volatility: 'Implied volatility',
  S: 'Spot price',
  K: 'Strike price',
  T: 'Time to maturity',
  r: 'Risk-free rate',
  q: 'Dividend yield',
  sigma: 'Volatility',
  theta_vg: 'Drift of the Brownian motion',
  nu: 'Variance rate',
  vg_call_price: 'Call price',
  delta: 'Delta',
  gamma: 'Gamma',
  vega: 'Vega',
  theta: 'Theta',
  rho: 'Rho',
  func_name: 'Function',
  function: 'Function',
  x: 'Point',
  h: 'Step size',
  method: 'Method',
  derivative: 'Derivative',
  y_true: 'Labels (1 = default)',
  y_score: 'Scores',
  gini: 'Gini coefficient',
  ks_statistic: 'KS statistic',
  auc_roc: 'Area under ROC',
  accuracy_ratio: 'Accuracy ratio',
  transitions: 'Transition counts',
  periods: 'Periods',
  transition_matrix: 'One period',
  multi_period_matrix: 'All periods',
  X: 'Observations',
  threshold: 'Threshold',
  outliers: 'Outlier',
  outlier_indices: 'Outlier rows',
  n_trees: 'Trees',
  contamination: 'Share of anomalies',
  random_state: 'Random seed',
  anomaly_scores: 'Anomaly score',
  predictions: 'Prediction',
  wealth: 'Wealth',
  utility: 'Utility',
  marginal_utility: 'Marginal utility',
  absolute_risk_aversion: 'Absolute risk aversion',
  relative_risk_aversion: 'Relative risk aversion',
  probabilities: 'Probabilities',
  base: 'Base of the logarithm',
  shannon_entropy: 'Entropy',
  calls: 'Calls',
  // accounts
  username: 'Name',
  full_name: 'Name',
  email: 'E-mail address',
  password: 'Password',
  new_password: 'New password',
  otp: 'Code',
  code: 'Code',
  mfa_code: 'Code of the second factor',
  api_key: 'API key',
  device_id: 'Device ID',
  device_name: 'Device name',
  platform: 'Platform',
}

/** The label of a field; a name without one is put into words: `by_day` → By day. */
export const labelOf = (name) => labels[name] ?? capitalised(name.replaceAll('_', ' '))

/** undefined for a field that has no label of the console's own. */
export const ownLabel = (name) => labels[name]

/** A message of the service that begins with a field's name in JSON, with the label in its place. */
export const withLabel = (message) => message.replace(/^\w+(?= )/, (name) => labels[name] ?? name)

const words = {
  call: 'Call',
  put: 'Put',
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
  central: 'Central',
  forward: 'Forward',
  backward: 'Backward',
}

/** The words for one of the choices of a field. */
export const wordFor = (choice) => words[choice] ?? String(choice)

export const capitalised = (text) => text.slice(0, 1).toUpperCase() + text.slice(1)
