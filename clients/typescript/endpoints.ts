/** Path and kind of every endpoint, generated from the declarations of the service by `npm run generate`; do not edit. */

export interface Endpoint {
  /** Computations and queries are safe to retry; changes of the account are not. */
  readonly kind: 'computation' | 'query' | 'change'
  readonly path: string
  /** Whether the method takes a body or a query. */
  readonly input: boolean
}

export const endpoints = {
  modelsVarianceGammaPrice: { kind: 'computation', path: '/quantlib/models/variance-gamma/price', input: true },
  pricingBsPrice: { kind: 'computation', path: '/quantlib/pricing/bs/price', input: true },
  pricingBsGreeks: { kind: 'computation', path: '/quantlib/pricing/bs/greeks', input: true },
  pricingBsImpliedVolatility: { kind: 'computation', path: '/quantlib/pricing/bs/implied-volatility', input: true },
  numericalDifferentiationDerivative: { kind: 'computation', path: '/quantlib/numerical/differentiation/derivative', input: true },
  mlCreditDiscrimination: { kind: 'computation', path: '/quantlib/ml/credit/discrimination', input: true },
  mlPreprocessingOutliers: { kind: 'computation', path: '/quantlib/ml/preprocessing/outliers', input: true },
  economicsUtilityLog: { kind: 'computation', path: '/quantlib/economics/utility/log', input: true },
  mlCreditMigration: { kind: 'computation', path: '/quantlib/ml/credit/migration', input: true },
  physicsEntropyShannon: { kind: 'computation', path: '/quantlib/physics/entropy/shannon', input: true },
  mlClusteringIsolationForest: { kind: 'computation', path: '/quantlib/ml/clustering/isolation-forest', input: true },
  mlCreditValidation: { kind: 'computation', path: '/quantlib/ml/credit/validation', input: true },
  modelsVarianceGammaGreeks: { kind: 'computation', path: '/quantlib/models/variance-gamma/greeks', input: true },
  mlCreditStability: { kind: 'computation', path: '/quantlib/ml/credit/stability', input: true },
  mlClusteringIsolationForestFit: { kind: 'computation', path: '/quantlib/ml/clustering/isolation-forest/fit', input: true },
  mlClusteringIsolationForestScore: { kind: 'computation', path: '/quantlib/ml/clustering/isolation-forest/score', input: true },
  mlCreditMigrationGenerator: { kind: 'computation', path: '/quantlib/ml/credit/migration-generator', input: true },
  pricingAmericanPrice: { kind: 'computation', path: '/quantlib/pricing/american/price', input: true },
  pricingAmericanBoundary: { kind: 'computation', path: '/quantlib/pricing/american/boundary', input: true },
  pricingAmericanImpliedVolatility: { kind: 'computation', path: '/quantlib/pricing/american/implied-volatility', input: true },
  modelsVarianceGammaCalibrate: { kind: 'computation', path: '/quantlib/models/variance-gamma/calibrate', input: true },
  pricingForwardGreeks: { kind: 'computation', path: '/quantlib/pricing/forward/greeks', input: true },
  pricingForwardImpliedVolatility: { kind: 'computation', path: '/quantlib/pricing/forward/implied-volatility', input: true },
  pricingForwardPrice: { kind: 'computation', path: '/quantlib/pricing/forward/price', input: true },
  mlCreditRatingHistory: { kind: 'computation', path: '/quantlib/ml/credit/rating-history', input: true },
  guestCreate: { kind: 'change', path: '/guest/create', input: true },
  userRegister: { kind: 'change', path: '/user/register', input: true },
  userVerifyOtp: { kind: 'change', path: '/user/verify-otp', input: true },
  userResendOtp: { kind: 'change', path: '/user/resend-otp', input: true },
  userLogin: { kind: 'change', path: '/user/login', input: true },
  userRegenerateApiKey: { kind: 'change', path: '/user/regenerate-api-key', input: true },
  userProfile: { kind: 'query', path: '/user/profile', input: false },
  userForgotPassword: { kind: 'change', path: '/user/forgot-password', input: true },
  userResetPassword: { kind: 'change', path: '/user/reset-password', input: true },
  userChangePassword: { kind: 'change', path: '/user/change-password', input: true },
  userMfaSetup: { kind: 'change', path: '/user/mfa/setup', input: true },
  userMfaEnable: { kind: 'change', path: '/user/mfa/enable', input: true },
  userMfaDisable: { kind: 'change', path: '/user/mfa/disable', input: true },
  userExport: { kind: 'query', path: '/user/export', input: true },
  userDelete: { kind: 'change', path: '/user/delete', input: true },
  userKeys: { kind: 'query', path: '/user/keys', input: false },
  userKeysCreate: { kind: 'change', path: '/user/keys/create', input: true },
  userKeysUpdate: { kind: 'change', path: '/user/keys/update', input: true },
  userKeysRotate: { kind: 'change', path: '/user/keys/rotate', input: true },
  userKeysRevoke: { kind: 'change', path: '/user/keys/revoke', input: true },
  userCredits: { kind: 'query', path: '/user/credits', input: false },
  userNotices: { kind: 'query', path: '/user/notices', input: false },
  userNoticesSet: { kind: 'change', path: '/user/notices', input: true },
  userUsage: { kind: 'query', path: '/user/usage', input: true },
  userUsageSummary: { kind: 'query', path: '/user/usage/summary', input: true },
  userReceipt: { kind: 'query', path: '/user/receipt', input: true },
  healthz: { kind: 'query', path: '/healthz', input: false },
  readyz: { kind: 'query', path: '/readyz', input: false },
  version: { kind: 'query', path: '/version', input: false },
  quantdKeys: { kind: 'query', path: '/.well-known/quantd-keys.json', input: false },
} as const satisfies Record<string, Endpoint>

/** The computations of which one request takes many rows. */
export const columnMethods = [
  'modelsVarianceGammaPrice',
  'pricingBsPrice',
  'pricingBsGreeks',
  'pricingBsImpliedVolatility',
  'numericalDifferentiationDerivative',
  'economicsUtilityLog',
  'modelsVarianceGammaGreeks',
  'pricingAmericanPrice',
  'pricingAmericanImpliedVolatility',
  'pricingForwardGreeks',
  'pricingForwardImpliedVolatility',
  'pricingForwardPrice',
] as const
