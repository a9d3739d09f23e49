"""The types of the computations as coroutines, generated from the declarations of the service by `npm run generate`; do not edit."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Concatenate, List, Literal, Optional, ParamSpec, Sequence, TypeVar, Union, overload

from .client import Client
from .computations import (
    BlackScholesGreeks,
    CreditDiscrimination,
    OutlierDetection,
    LogarithmicUtility,
    RatingMigrationMatrix,
    IsolationForest,
    CreditValidation,
    VarianceGammaGreeks,
    ScoreStability,
    IsolationForestFit,
    IsolationForestScore,
    RatingMigrationGenerator,
    AmericanPrice,
    VarianceGammaCalibration,
    ForwardOptionGreeks,
    RatingHistory,
)

Given = ParamSpec("Given")
Result = TypeVar("Result")


class AsyncComputations:
    _client: Client
    _threads: ThreadPoolExecutor

    async def _run(
        self, method: Callable[Concatenate[Client, Given], Result], *values: Given.args, **given: Given.kwargs
    ) -> Result: ...

    @overload
    async def variance_gamma_price(  # type: ignore
        self,
        *,
        S: Union[int, float],
        K: Union[int, float],
        T: Union[int, float],
        r: Union[int, float],
        sigma: Union[int, float],
        theta_vg: Union[int, float],
        nu: Union[int, float],
        q: Union[int, float] = 0,
    ) -> float: ...
    @overload
    async def variance_gamma_price(
        self,
        *,
        S: Union[Union[int, float], Sequence[float]],
        K: Union[Union[int, float], Sequence[float]],
        T: Union[Union[int, float], Sequence[float]],
        r: Union[Union[int, float], Sequence[float]],
        sigma: Union[Union[int, float], Sequence[float]],
        theta_vg: Union[Union[int, float], Sequence[float]],
        nu: Union[Union[int, float], Sequence[float]],
        q: Union[Union[int, float], Sequence[float]] = 0,
    ) -> List[float]: ...
    @overload
    async def variance_gamma_price(
        self,
        *,
        S: Any,
        K: Any,
        T: Any,
        r: Any,
        sigma: Any,
        theta_vg: Any,
        nu: Any,
        q: Any = 0,
    ) -> Any: ...
    @overload
    async def variance_gamma_price(
        self,
        *,
        spot: Any,
        strike: Any,
        time_to_maturity: Any,
        risk_free_rate: Any,
        volatility: Any,
        theta_vg: Any,
        nu: Any,
        dividend_yield: Any = 0,
    ) -> Any: ...

    @overload
    async def black_scholes_price(  # type: ignore
        self,
        *,
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> float: ...
    @overload
    async def black_scholes_price(
        self,
        *,
        spot: Union[Union[int, float], Sequence[float]],
        strike: Union[Union[int, float], Sequence[float]],
        risk_free_rate: Union[Union[int, float], Sequence[float]],
        volatility: Union[Union[int, float], Sequence[float]],
        time_to_maturity: Union[Union[int, float], Sequence[float]],
        dividend_yield: Union[Union[int, float], Sequence[float]] = 0,
        option_type: Union[Literal["call", "put"], Sequence[str]] = "call",
    ) -> List[float]: ...
    @overload
    async def black_scholes_price(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def black_scholes_price(
        self,
        *,
        S: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def black_scholes_greeks(
        self,
        *,
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> BlackScholesGreeks: ...
    @overload
    async def black_scholes_greeks(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def black_scholes_greeks(
        self,
        *,
        S: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def black_scholes_implied_volatility(  # type: ignore
        self,
        *,
        price: Union[int, float],
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> float: ...
    @overload
    async def black_scholes_implied_volatility(
        self,
        *,
        price: Union[Union[int, float], Sequence[float]],
        spot: Union[Union[int, float], Sequence[float]],
        strike: Union[Union[int, float], Sequence[float]],
        risk_free_rate: Union[Union[int, float], Sequence[float]],
        time_to_maturity: Union[Union[int, float], Sequence[float]],
        dividend_yield: Union[Union[int, float], Sequence[float]] = 0,
        option_type: Union[Literal["call", "put"], Sequence[str]] = "call",
    ) -> List[float]: ...
    @overload
    async def black_scholes_implied_volatility(
        self,
        *,
        price: Any,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def black_scholes_implied_volatility(
        self,
        *,
        price: Any,
        S: Any,
        K: Any,
        r: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def numerical_derivative(  # type: ignore
        self,
        *,
        func_name: Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"],
        x: Union[int, float],
        h: Union[int, float] = 1e-7,
        method: Literal["central", "forward", "backward"] = "central",
    ) -> float: ...
    @overload
    async def numerical_derivative(
        self,
        *,
        func_name: Union[Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"], Sequence[str]],
        x: Union[Union[int, float], Sequence[float]],
        h: Union[Union[int, float], Sequence[float]] = 1e-7,
        method: Union[Literal["central", "forward", "backward"], Sequence[str]] = "central",
    ) -> List[float]: ...
    @overload
    async def numerical_derivative(
        self,
        *,
        func_name: Any,
        x: Any,
        h: Any = 1e-7,
        method: Any = "central",
    ) -> Any: ...

    async def credit_discrimination(
        self,
        y_true: Any,
        y_score: Any,
    ) -> CreditDiscrimination: ...

    async def outlier_detection(
        self,
        X: Any,
        *,
        method: Literal["zscore", "iqr", "mad"] = "zscore",
        threshold: Union[int, float] = 3,
    ) -> OutlierDetection: ...

    @overload
    async def logarithmic_utility(
        self,
        wealth: Union[int, float],
    ) -> LogarithmicUtility: ...
    @overload
    async def logarithmic_utility(
        self,
        wealth: Any,
    ) -> Any: ...

    async def rating_migration_matrix(
        self,
        transitions: Any,
        *,
        periods: int = 1,
    ) -> RatingMigrationMatrix: ...

    async def shannon_entropy(
        self,
        probabilities: Any,
        *,
        base: Union[int, float] = 2.718281828459045,
    ) -> float: ...

    async def isolation_forest(
        self,
        X: Any,
        *,
        n_trees: int = 100,
        contamination: Union[int, float] = 0.1,
        random_state: int = 0,
    ) -> IsolationForest: ...

    async def credit_validation(
        self,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 10,
        confidence: Union[int, float] = 0.95,
        weights: Any = (),
    ) -> CreditValidation: ...

    @overload
    async def variance_gamma_greeks(
        self,
        *,
        S: Union[int, float],
        K: Union[int, float],
        T: Union[int, float],
        r: Union[int, float],
        sigma: Union[int, float],
        theta_vg: Union[int, float],
        nu: Union[int, float],
        q: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> VarianceGammaGreeks: ...
    @overload
    async def variance_gamma_greeks(
        self,
        *,
        S: Any,
        K: Any,
        T: Any,
        r: Any,
        sigma: Any,
        theta_vg: Any,
        nu: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def variance_gamma_greeks(
        self,
        *,
        spot: Any,
        strike: Any,
        time_to_maturity: Any,
        risk_free_rate: Any,
        volatility: Any,
        theta_vg: Any,
        nu: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    async def score_stability(
        self,
        expected: Any,
        actual: Any,
        *,
        edges: Any = (),
        n_bins: int = 10,
        expected_y_true: Any = (),
        actual_y_true: Any = (),
        monotone: bool = False,
        expected_weights: Any = (),
        actual_weights: Any = (),
    ) -> ScoreStability: ...

    async def isolation_forest_fit(
        self,
        X: Any,
        *,
        n_trees: int = 100,
        max_samples: int = 256,
        contamination: Union[int, float] = 0.1,
        random_state: int = 0,
        columns: Any = (),
    ) -> IsolationForestFit: ...

    async def isolation_forest_score(
        self,
        X: Any,
        *,
        model: str,
        attributions: bool = False,
        columns: Any = (),
    ) -> IsolationForestScore: ...

    async def rating_migration_generator(
        self,
        transitions: Any,
        *,
        exposures: Any = (),
        method: Literal["logarithm", "duration"] = "logarithm",
        times: Any = (1, 2, 3, 5, 7, 10),
        bootstrap_samples: int = 0,
        confidence: Union[int, float] = 0.95,
        random_state: int = 0,
    ) -> RatingMigrationGenerator: ...

    @overload
    async def american_price(
        self,
        *,
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> AmericanPrice: ...
    @overload
    async def american_price(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def american_price(
        self,
        *,
        S: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def american_exercise_boundary(
        self,
        times: Any,
        *,
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> Any: ...
    @overload
    async def american_exercise_boundary(
        self,
        times: Any,
        *,
        S: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def american_implied_volatility(  # type: ignore
        self,
        *,
        price: Union[int, float],
        spot: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        time_to_maturity: Union[int, float],
        dividend_yield: Union[int, float] = 0,
        option_type: Literal["call", "put"] = "call",
    ) -> float: ...
    @overload
    async def american_implied_volatility(
        self,
        *,
        price: Union[Union[int, float], Sequence[float]],
        spot: Union[Union[int, float], Sequence[float]],
        strike: Union[Union[int, float], Sequence[float]],
        risk_free_rate: Union[Union[int, float], Sequence[float]],
        time_to_maturity: Union[Union[int, float], Sequence[float]],
        dividend_yield: Union[Union[int, float], Sequence[float]] = 0,
        option_type: Union[Literal["call", "put"], Sequence[str]] = "call",
    ) -> List[float]: ...
    @overload
    async def american_implied_volatility(
        self,
        *,
        price: Any,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...
    @overload
    async def american_implied_volatility(
        self,
        *,
        price: Any,
        S: Any,
        K: Any,
        r: Any,
        T: Any,
        q: Any = 0,
        option_type: Any = "call",
    ) -> Any: ...

    @overload
    async def variance_gamma_calibration(
        self,
        quotes: Any,
        *,
        S: Union[int, float],
        r: Union[int, float],
        q: Union[int, float] = 0,
        per_maturity: bool = False,
    ) -> VarianceGammaCalibration: ...
    @overload
    async def variance_gamma_calibration(
        self,
        quotes: Any,
        *,
        spot: Any,
        risk_free_rate: Any,
        dividend_yield: Any = 0,
        per_maturity: Any = False,
    ) -> VarianceGammaCalibration: ...

    @overload
    async def forward_option_greeks(
        self,
        *,
        forward: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        option_type: Literal["call", "put"] = "call",
        model: Literal["black_76", "bachelier"] = "black_76",
    ) -> ForwardOptionGreeks: ...
    @overload
    async def forward_option_greeks(
        self,
        *,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...
    @overload
    async def forward_option_greeks(
        self,
        *,
        F: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...

    @overload
    async def forward_option_implied_volatility(  # type: ignore
        self,
        *,
        price: Union[int, float],
        forward: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        time_to_maturity: Union[int, float],
        option_type: Literal["call", "put"] = "call",
        model: Literal["black_76", "bachelier"] = "black_76",
    ) -> float: ...
    @overload
    async def forward_option_implied_volatility(
        self,
        *,
        price: Union[Union[int, float], Sequence[float]],
        forward: Union[Union[int, float], Sequence[float]],
        strike: Union[Union[int, float], Sequence[float]],
        risk_free_rate: Union[Union[int, float], Sequence[float]],
        time_to_maturity: Union[Union[int, float], Sequence[float]],
        option_type: Union[Literal["call", "put"], Sequence[str]] = "call",
        model: Union[Literal["black_76", "bachelier"], Sequence[str]] = "black_76",
    ) -> List[float]: ...
    @overload
    async def forward_option_implied_volatility(
        self,
        *,
        price: Any,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...
    @overload
    async def forward_option_implied_volatility(
        self,
        *,
        price: Any,
        F: Any,
        K: Any,
        r: Any,
        T: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...

    @overload
    async def forward_option_price(  # type: ignore
        self,
        *,
        forward: Union[int, float],
        strike: Union[int, float],
        risk_free_rate: Union[int, float],
        volatility: Union[int, float],
        time_to_maturity: Union[int, float],
        option_type: Literal["call", "put"] = "call",
        model: Literal["black_76", "bachelier"] = "black_76",
    ) -> float: ...
    @overload
    async def forward_option_price(
        self,
        *,
        forward: Union[Union[int, float], Sequence[float]],
        strike: Union[Union[int, float], Sequence[float]],
        risk_free_rate: Union[Union[int, float], Sequence[float]],
        volatility: Union[Union[int, float], Sequence[float]],
        time_to_maturity: Union[Union[int, float], Sequence[float]],
        option_type: Union[Literal["call", "put"], Sequence[str]] = "call",
        model: Union[Literal["black_76", "bachelier"], Sequence[str]] = "black_76",
    ) -> List[float]: ...
    @overload
    async def forward_option_price(
        self,
        *,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...
    @overload
    async def forward_option_price(
        self,
        *,
        F: Any,
        K: Any,
        r: Any,
        sigma: Any,
        T: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any: ...

    async def rating_history(
        self,
        entities: Any,
        ratings: Any,
        order: Any,
        *,
        start: Any,
        end: Any,
        times: Any = (),
        dates: Any = (),
        method: Literal["cohort", "duration"] = "cohort",
        period: Union[int, float] = 1,
        withdrawn: Any = ("NR", "WR"),
    ) -> RatingHistory: ...
