/** The inputs of an option for tests to which its price does not matter; it costs one credit. */
export const OPTION = { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
