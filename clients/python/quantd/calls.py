"""The calls that a batch may hold, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class VarianceGammaPriceRequired(TypedDict):
    #: current stock price, in any currency unit; > 0.
    S: Union[int, float]
    #: strike price, in the same unit; > 0.
    K: Union[int, float]
    #: time to maturity in years; ≥ 0.
    T: Union[int, float]
    #: risk-free rate, continuously compounded, per year, as a decimal.
    r: Union[int, float]
    #: volatility of the Brownian motion, per year, as a decimal; ≥ 0.
    sigma: Union[int, float]
    #: drift of the Brownian motion, per year; negative means left skew.
    theta_vg: Union[int, float]
    #: variance rate of the gamma time, per year, greater than 0; higher means fatter tails; ≥ 0.
    nu: Union[int, float]


class VarianceGammaPriceBody(VarianceGammaPriceRequired, total=False):
    #: dividend yield, continuously compounded, per year, as a decimal; default 0.
    q: Union[int, float]


class VarianceGammaPriceCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/price"]
    body: VarianceGammaPriceBody


class BlackScholesPriceRequired(TypedDict):
    #: of the underlying, in any currency unit; > 0.
    spot: Union[int, float]
    #: in the same unit; > 0.
    strike: Union[int, float]
    #: continuously compounded, per year, as a decimal.
    risk_free_rate: Union[int, float]
    #: of the log price, per year, as a decimal; ≥ 0.
    volatility: Union[int, float]
    #: years; ≥ 0.
    time_to_maturity: Union[int, float]


class BlackScholesPriceBody(BlackScholesPriceRequired, total=False):
    #: continuously compounded, per year; default 0.
    dividend_yield: Union[int, float]
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]


class BlackScholesPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/price"]
    body: BlackScholesPriceBody


class BlackScholesGreeksCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/greeks"]
    body: BlackScholesPriceBody


class BlackScholesImpliedVolatilityRequired(TypedDict):
    #: price of the option, in any currency unit; ≥ 0.
    price: Union[int, float]
    #: of the underlying, in the same unit; > 0.
    spot: Union[int, float]
    #: in the same unit; > 0.
    strike: Union[int, float]
    #: continuously compounded, per year, as a decimal.
    risk_free_rate: Union[int, float]
    #: years; > 0.
    time_to_maturity: Union[int, float]


class BlackScholesImpliedVolatilityBody(BlackScholesImpliedVolatilityRequired, total=False):
    #: continuously compounded, per year; default 0.
    dividend_yield: Union[int, float]
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]


class BlackScholesImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/implied-volatility"]
    body: BlackScholesImpliedVolatilityBody


class NumericalDerivativeRequired(TypedDict):
    #: built-in function to differentiate; "exp" or "log" or "sin" or "cos" or "sqrt" or "tan" or "x2" or
    #: "x3".
    func_name: Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"]
    #: point of evaluation, in the unit of the function’s argument.
    x: Union[int, float]


class NumericalDerivativeBody(NumericalDerivativeRequired, total=False):
    #: step size, in the unit of x; x + h must differ from x in double precision; > 0; default 1e-7.
    h: Union[int, float]
    #: finite-difference method; "central" or "forward" or "backward"; default "central".
    method: Literal["central", "forward", "backward"]


class NumericalDerivativeCall(TypedDict):
    path: Literal["/quantlib/numerical/differentiation/derivative"]
    body: NumericalDerivativeBody


class CreditDiscriminationBody(TypedDict):
    #: true labels: 0 non-default, 1 default; both must occur; 1 … 1,000,000 items, each 0 … 1.
    y_true: Any
    #: predicted probabilities, or risk scores in any unit, one per label; 1 … 1,000,000 items.
    y_score: Any


class CreditDiscriminationCall(TypedDict):
    path: Literal["/quantlib/ml/credit/discrimination"]
    body: CreditDiscriminationBody


class OutlierDetectionRequired(TypedDict):
    #: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000
    #: columns.
    X: Any


class OutlierDetectionBody(OutlierDetectionRequired, total=False):
    #: detection method; "zscore" or "iqr" or "mad"; default "zscore".
    method: Literal["zscore", "iqr", "mad"]
    #: detection threshold; 3 means 3-sigma for zscore; > 0; default 3.
    threshold: Union[int, float]


class OutlierDetectionCall(TypedDict):
    path: Literal["/quantlib/ml/preprocessing/outliers"]
    body: OutlierDetectionBody


class LogarithmicUtilityBody(TypedDict):
    #: level of wealth, in any currency unit; > 0.
    wealth: Union[int, float]


class LogarithmicUtilityCall(TypedDict):
    path: Literal["/quantlib/economics/utility/log"]
    body: LogarithmicUtilityBody


class RatingMigrationMatrixRequired(TypedDict):
    #: transition counts, square; rows are the from-rating, columns the to-rating; 1 … 200 rows, 1 … 200
    #: columns, each ≥ 0.
    transitions: Any


class RatingMigrationMatrixBody(RatingMigrationMatrixRequired, total=False):
    #: number of periods of the projection; 1 … 10,000; default 1.
    periods: int


class RatingMigrationMatrixCall(TypedDict):
    path: Literal["/quantlib/ml/credit/migration"]
    body: RatingMigrationMatrixBody


class ShannonEntropyRequired(TypedDict):
    #: discrete distribution; must sum to 1, within 1e-6; 1 … 1,000,000 items, each ≥ 0.
    probabilities: Any


class ShannonEntropyBody(ShannonEntropyRequired, total=False):
    #: logarithm base, other than 1; > 0; default 2.718281828459045.
    base: Union[int, float]


class ShannonEntropyCall(TypedDict):
    path: Literal["/quantlib/physics/entropy/shannon"]
    body: ShannonEntropyBody


class IsolationForestRequired(TypedDict):
    #: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000
    #: columns.
    X: Any


class IsolationForestBody(IsolationForestRequired, total=False):
    #: number of isolation trees; 1 … 1,000; default 100.
    n_trees: int
    #: expected proportion of outliers; rows of equal score get the same prediction; 0 … 0.5; default 0.1.
    contamination: Union[int, float]
    #: seed of the random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.
    random_state: int


class IsolationForestCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest"]
    body: IsolationForestBody


class CreditValidationRequired(TypedDict):
    #: 0 non-default, 1 default; both occur; 1 … 1,000,000 items, each 0 … 1.
    y_true: Any
    #: of default, one per label; 1 … 1,000,000 items, each 0 … 1.
    y_prob: Any


class CreditValidationBody(CreditValidationRequired, total=False):
    #: bins of equal count; fewer with ties; 1 … 1,000; default 10.
    n_bins: int
    #: of the interval; > 0 and < 1; default 0.95.
    confidence: Union[int, float]
    #: rows that each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].
    weights: Any


class CreditValidationCall(TypedDict):
    path: Literal["/quantlib/ml/credit/validation"]
    body: CreditValidationBody


class VarianceGammaGreeksRequired(TypedDict):
    #: current stock price, in any currency unit; > 0.
    S: Union[int, float]
    #: strike price, in the same unit; > 0.
    K: Union[int, float]
    #: time to maturity in years; ≥ 0.
    T: Union[int, float]
    #: risk-free rate, continuously compounded, per year, as a decimal.
    r: Union[int, float]
    #: volatility of the Brownian motion, per year, as a decimal; ≥ 0.
    sigma: Union[int, float]
    #: drift of the Brownian motion, per year; negative means left skew.
    theta_vg: Union[int, float]
    #: variance rate of the gamma time, per year, greater than 0; higher means fatter tails; ≥ 0.
    nu: Union[int, float]


class VarianceGammaGreeksBody(VarianceGammaGreeksRequired, total=False):
    #: dividend yield, continuously compounded, per year, as a decimal; default 0.
    q: Union[int, float]
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]


class VarianceGammaGreeksCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/greeks"]
    body: VarianceGammaGreeksBody


class ScoreStabilityRequired(TypedDict):
    #: of the development sample; 1 … 1,000,000 items.
    expected: Any
    #: scores to judge; 1 … 1,000,000 items.
    actual: Any


class ScoreStabilityBody(ScoreStabilityRequired, total=False):
    #: all bounds, rising; [lower, upper), last closed; hold every score; at most 1,001 items; default [].
    edges: Any
    #: without edges: quantiles of expected; fewer with ties; 1 … 1,000; default 10.
    n_bins: int
    #: 0 non-default, 1 default; at most 1,000,000 items, each 0 … 1; default [].
    expected_y_true: Any
    #: likewise; at most 1,000,000 items, each 0 … 1; default [].
    actual_y_true: Any
    #: pool bins until the default rate of expected is monotone; default False.
    monotone: bool
    #: rows that each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].
    expected_weights: Any
    #: likewise; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].
    actual_weights: Any


class ScoreStabilityCall(TypedDict):
    path: Literal["/quantlib/ml/credit/stability"]
    body: ScoreStabilityBody


class IsolationForestFitRequired(TypedDict):
    #: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000
    #: columns.
    X: Any


class IsolationForestFitBody(IsolationForestFitRequired, total=False):
    #: number of isolation trees; 1 … 1,000; default 100.
    n_trees: int
    #: rows that each tree is grown on, if X has as many; 2 … 65,536; default 256.
    max_samples: int
    #: expected proportion of outliers; rows of equal score get the same prediction; 0 … 0.5; default 0.1.
    contamination: Union[int, float]
    #: seed of the random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.
    random_state: int


class IsolationForestFitCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest/fit"]
    body: IsolationForestFitBody


class IsolationForestScoreRequired(TypedDict):
    #: the model of a fit.
    model: str
    #: rows to score, with the columns of the fit; 1 … 1,000,000 rows, 1 … 10,000 columns.
    X: Any


class IsolationForestScoreBody(IsolationForestScoreRequired, total=False):
    #: whether to divide path lengths among columns; default False.
    attributions: bool


class IsolationForestScoreCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest/score"]
    body: IsolationForestScoreBody


class RatingMigrationGeneratorRequired(TypedDict):
    #: counts of a year, square; the last rating is default; 1 … 200 rows, 1 … 200 columns, each ≥ 0.
    transitions: Any


class RatingMigrationGeneratorBody(RatingMigrationGeneratorRequired, total=False):
    #: for duration: years spent in each rating; at most 200 items, each ≥ 0; default [].
    exposures: Any
    #: logarithm of the cohort matrix; duration, without the diagonal of transitions; "logarithm" or
    #: "duration"; default "logarithm".
    method: Literal["logarithm", "duration"]
    #: in years; at most 1,000 items, each 0 … 10,000; default [1, 2, 3, 5, 7, 10].
    times: Any
    #: samples of the moves for intervals; 0: none; 0 … 10,000; default 0.
    bootstrap_samples: int
    #: of the intervals; > 0 and < 1; default 0.95.
    confidence: Union[int, float]
    #: seed of the samples; −(2⁵³ − 1) … 2⁵³ − 1; default 0.
    random_state: int


class RatingMigrationGeneratorCall(TypedDict):
    path: Literal["/quantlib/ml/credit/migration-generator"]
    body: RatingMigrationGeneratorBody


class AmericanPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/american/price"]
    body: BlackScholesPriceBody


class AmericanExerciseBoundaryRequired(TypedDict):
    #: of the underlying, in any currency unit; > 0.
    spot: Union[int, float]
    #: in the same unit; > 0.
    strike: Union[int, float]
    #: continuously compounded, per year, as a decimal.
    risk_free_rate: Union[int, float]
    #: of the log price, per year, as a decimal; ≥ 0.
    volatility: Union[int, float]
    #: years; ≥ 0.
    time_to_maturity: Union[int, float]
    #: in years, up to time_to_maturity; 1 … 1,000,000 items, each ≥ 0.
    times: Any


class AmericanExerciseBoundaryBody(AmericanExerciseBoundaryRequired, total=False):
    #: continuously compounded, per year; default 0.
    dividend_yield: Union[int, float]
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]


class AmericanExerciseBoundaryCall(TypedDict):
    path: Literal["/quantlib/pricing/american/boundary"]
    body: AmericanExerciseBoundaryBody


class AmericanImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/american/implied-volatility"]
    body: BlackScholesImpliedVolatilityBody


class VarianceGammaCalibrationRequired(TypedDict):
    #: current stock price, in any currency unit; > 0.
    S: Union[int, float]
    #: risk-free rate, continuously compounded, per year, as a decimal.
    r: Union[int, float]
    #: quoted options; refused outside the no-arbitrage bounds; 3 … 2,000 items.
    quotes: Any


class VarianceGammaCalibrationBody(VarianceGammaCalibrationRequired, total=False):
    #: dividend yield, continuously compounded, per year, as a decimal; default 0.
    q: Union[int, float]


class VarianceGammaCalibrationCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/calibrate"]
    body: VarianceGammaCalibrationBody


class ForwardOptionGreeksRequired(TypedDict):
    #: in any currency unit; above 0 with black_76.
    forward: Union[int, float]
    #: in the same unit.
    strike: Union[int, float]
    #: continuously compounded, per year, as a decimal.
    risk_free_rate: Union[int, float]
    #: per year; black_76: of the log price, as a decimal; bachelier: in the unit of forward; ≥ 0.
    volatility: Union[int, float]
    #: years; ≥ 0.
    time_to_maturity: Union[int, float]


class ForwardOptionGreeksBody(ForwardOptionGreeksRequired, total=False):
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]
    #: normal increments of the log price, or price; "black_76" or "bachelier"; default "black_76".
    model: Literal["black_76", "bachelier"]


class ForwardOptionGreeksCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/greeks"]
    body: ForwardOptionGreeksBody


class ForwardOptionImpliedVolatilityRequired(TypedDict):
    #: of the option, in any currency unit; ≥ 0.
    price: Union[int, float]
    #: in any currency unit; above 0 with black_76.
    forward: Union[int, float]
    #: in the same unit.
    strike: Union[int, float]
    #: continuously compounded, per year, as a decimal.
    risk_free_rate: Union[int, float]
    #: years; > 0.
    time_to_maturity: Union[int, float]


class ForwardOptionImpliedVolatilityBody(ForwardOptionImpliedVolatilityRequired, total=False):
    #: call buys, put sells; "call" or "put"; default "call".
    option_type: Literal["call", "put"]
    #: normal increments of the log price, or price; "black_76" or "bachelier"; default "black_76".
    model: Literal["black_76", "bachelier"]


class ForwardOptionImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/implied-volatility"]
    body: ForwardOptionImpliedVolatilityBody


class ForwardOptionPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/price"]
    body: ForwardOptionGreeksBody


#: A call of `Client.batch`.
Call = Union[
    VarianceGammaPriceCall,
    BlackScholesPriceCall,
    BlackScholesGreeksCall,
    BlackScholesImpliedVolatilityCall,
    NumericalDerivativeCall,
    CreditDiscriminationCall,
    OutlierDetectionCall,
    LogarithmicUtilityCall,
    RatingMigrationMatrixCall,
    ShannonEntropyCall,
    IsolationForestCall,
    CreditValidationCall,
    VarianceGammaGreeksCall,
    ScoreStabilityCall,
    IsolationForestFitCall,
    IsolationForestScoreCall,
    RatingMigrationGeneratorCall,
    AmericanPriceCall,
    AmericanExerciseBoundaryCall,
    AmericanImpliedVolatilityCall,
    VarianceGammaCalibrationCall,
    ForwardOptionGreeksCall,
    ForwardOptionImpliedVolatilityCall,
    ForwardOptionPriceCall,
]
