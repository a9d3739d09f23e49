"""The calls that a batch may hold; `quantd.computations` describes their fields; generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class VarianceGammaPriceRequired(TypedDict):
    S: Union[int, float]
    K: Union[int, float]
    T: Union[int, float]
    r: Union[int, float]
    sigma: Union[int, float]
    theta_vg: Union[int, float]
    nu: Union[int, float]


class VarianceGammaPriceBody(VarianceGammaPriceRequired, total=False):
    q: Union[int, float]


class VarianceGammaPriceCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/price"]
    body: VarianceGammaPriceBody


class BlackScholesPriceRequired(TypedDict):
    spot: Union[int, float]
    strike: Union[int, float]
    risk_free_rate: Union[int, float]
    volatility: Union[int, float]
    time_to_maturity: Union[int, float]


class BlackScholesPriceBody(BlackScholesPriceRequired, total=False):
    dividend_yield: Union[int, float]
    option_type: Literal["call", "put"]


class BlackScholesPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/price"]
    body: BlackScholesPriceBody


class BlackScholesGreeksCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/greeks"]
    body: BlackScholesPriceBody


class BlackScholesImpliedVolatilityRequired(TypedDict):
    price: Union[int, float]
    spot: Union[int, float]
    strike: Union[int, float]
    risk_free_rate: Union[int, float]
    time_to_maturity: Union[int, float]


class BlackScholesImpliedVolatilityBody(BlackScholesImpliedVolatilityRequired, total=False):
    dividend_yield: Union[int, float]
    option_type: Literal["call", "put"]


class BlackScholesImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/bs/implied-volatility"]
    body: BlackScholesImpliedVolatilityBody


class NumericalDerivativeRequired(TypedDict):
    func_name: Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"]
    x: Union[int, float]


class NumericalDerivativeBody(NumericalDerivativeRequired, total=False):
    h: Union[int, float]
    method: Literal["central", "forward", "backward"]


class NumericalDerivativeCall(TypedDict):
    path: Literal["/quantlib/numerical/differentiation/derivative"]
    body: NumericalDerivativeBody


class CreditDiscriminationBody(TypedDict):
    y_true: Any
    y_score: Any


class CreditDiscriminationCall(TypedDict):
    path: Literal["/quantlib/ml/credit/discrimination"]
    body: CreditDiscriminationBody


class OutlierDetectionRequired(TypedDict):
    X: Any


class OutlierDetectionBody(OutlierDetectionRequired, total=False):
    method: Literal["zscore", "iqr", "mad"]
    threshold: Union[int, float]


class OutlierDetectionCall(TypedDict):
    path: Literal["/quantlib/ml/preprocessing/outliers"]
    body: OutlierDetectionBody


class LogarithmicUtilityBody(TypedDict):
    wealth: Union[int, float]


class LogarithmicUtilityCall(TypedDict):
    path: Literal["/quantlib/economics/utility/log"]
    body: LogarithmicUtilityBody


class RatingMigrationMatrixRequired(TypedDict):
    transitions: Any


class RatingMigrationMatrixBody(RatingMigrationMatrixRequired, total=False):
    periods: int


class RatingMigrationMatrixCall(TypedDict):
    path: Literal["/quantlib/ml/credit/migration"]
    body: RatingMigrationMatrixBody


class ShannonEntropyRequired(TypedDict):
    probabilities: Any


class ShannonEntropyBody(ShannonEntropyRequired, total=False):
    base: Union[int, float]


class ShannonEntropyCall(TypedDict):
    path: Literal["/quantlib/physics/entropy/shannon"]
    body: ShannonEntropyBody


class IsolationForestRequired(TypedDict):
    X: Any


class IsolationForestBody(IsolationForestRequired, total=False):
    n_trees: int
    contamination: Union[int, float]
    random_state: int


class IsolationForestCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest"]
    body: IsolationForestBody


class CreditValidationRequired(TypedDict):
    y_true: Any
    y_prob: Any


class CreditValidationBody(CreditValidationRequired, total=False):
    n_bins: int
    confidence: Union[int, float]
    weights: Any


class CreditValidationCall(TypedDict):
    path: Literal["/quantlib/ml/credit/validation"]
    body: CreditValidationBody


class VarianceGammaGreeksRequired(TypedDict):
    S: Union[int, float]
    K: Union[int, float]
    T: Union[int, float]
    r: Union[int, float]
    sigma: Union[int, float]
    theta_vg: Union[int, float]
    nu: Union[int, float]


class VarianceGammaGreeksBody(VarianceGammaGreeksRequired, total=False):
    q: Union[int, float]
    option_type: Literal["call", "put"]


class VarianceGammaGreeksCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/greeks"]
    body: VarianceGammaGreeksBody


class ScoreStabilityRequired(TypedDict):
    expected: Any
    actual: Any


class ScoreStabilityBody(ScoreStabilityRequired, total=False):
    edges: Any
    n_bins: int
    expected_y_true: Any
    actual_y_true: Any
    monotone: bool
    expected_weights: Any
    actual_weights: Any


class ScoreStabilityCall(TypedDict):
    path: Literal["/quantlib/ml/credit/stability"]
    body: ScoreStabilityBody


class IsolationForestFitRequired(TypedDict):
    X: Any


class IsolationForestFitBody(IsolationForestFitRequired, total=False):
    n_trees: int
    max_samples: int
    contamination: Union[int, float]
    random_state: int
    columns: Any


class IsolationForestFitCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest/fit"]
    body: IsolationForestFitBody


class IsolationForestScoreRequired(TypedDict):
    model: str
    X: Any


class IsolationForestScoreBody(IsolationForestScoreRequired, total=False):
    attributions: bool
    columns: Any


class IsolationForestScoreCall(TypedDict):
    path: Literal["/quantlib/ml/clustering/isolation-forest/score"]
    body: IsolationForestScoreBody


class RatingMigrationGeneratorRequired(TypedDict):
    transitions: Any


class RatingMigrationGeneratorBody(RatingMigrationGeneratorRequired, total=False):
    exposures: Any
    method: Literal["logarithm", "duration"]
    times: Any
    bootstrap_samples: int
    confidence: Union[int, float]
    random_state: int


class RatingMigrationGeneratorCall(TypedDict):
    path: Literal["/quantlib/ml/credit/migration-generator"]
    body: RatingMigrationGeneratorBody


class AmericanPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/american/price"]
    body: BlackScholesPriceBody


class AmericanExerciseBoundaryRequired(TypedDict):
    spot: Union[int, float]
    strike: Union[int, float]
    risk_free_rate: Union[int, float]
    volatility: Union[int, float]
    time_to_maturity: Union[int, float]
    times: Any


class AmericanExerciseBoundaryBody(AmericanExerciseBoundaryRequired, total=False):
    dividend_yield: Union[int, float]
    option_type: Literal["call", "put"]


class AmericanExerciseBoundaryCall(TypedDict):
    path: Literal["/quantlib/pricing/american/boundary"]
    body: AmericanExerciseBoundaryBody


class AmericanImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/american/implied-volatility"]
    body: BlackScholesImpliedVolatilityBody


class VarianceGammaCalibrationRequired(TypedDict):
    S: Union[int, float]
    r: Union[int, float]
    quotes: Any


class VarianceGammaCalibrationBody(VarianceGammaCalibrationRequired, total=False):
    q: Union[int, float]
    per_maturity: bool


class VarianceGammaCalibrationCall(TypedDict):
    path: Literal["/quantlib/models/variance-gamma/calibrate"]
    body: VarianceGammaCalibrationBody


class ForwardOptionGreeksRequired(TypedDict):
    forward: Union[int, float]
    strike: Union[int, float]
    risk_free_rate: Union[int, float]
    volatility: Union[int, float]
    time_to_maturity: Union[int, float]


class ForwardOptionGreeksBody(ForwardOptionGreeksRequired, total=False):
    option_type: Literal["call", "put"]
    model: Literal["black_76", "bachelier"]


class ForwardOptionGreeksCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/greeks"]
    body: ForwardOptionGreeksBody


class ForwardOptionImpliedVolatilityRequired(TypedDict):
    price: Union[int, float]
    forward: Union[int, float]
    strike: Union[int, float]
    risk_free_rate: Union[int, float]
    time_to_maturity: Union[int, float]


class ForwardOptionImpliedVolatilityBody(ForwardOptionImpliedVolatilityRequired, total=False):
    option_type: Literal["call", "put"]
    model: Literal["black_76", "bachelier"]


class ForwardOptionImpliedVolatilityCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/implied-volatility"]
    body: ForwardOptionImpliedVolatilityBody


class ForwardOptionPriceCall(TypedDict):
    path: Literal["/quantlib/pricing/forward/price"]
    body: ForwardOptionGreeksBody


class RatingHistoryRequired(TypedDict):
    entities: Any
    ratings: Any
    order: Any
    start: Any
    end: Any


class RatingHistoryBody(RatingHistoryRequired, total=False):
    times: Any
    dates: Any
    method: Literal["cohort", "duration"]
    period: Union[int, float]
    withdrawn: Any


class RatingHistoryCall(TypedDict):
    path: Literal["/quantlib/ml/credit/rating-history"]
    body: RatingHistoryBody


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
    RatingHistoryCall,
]
