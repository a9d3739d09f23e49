"""The computations of the service as methods, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, List, Literal, NamedTuple, Optional, Sequence, Union, overload

from .histories import by_history
from .names import also_named
from .observations import by_observation
from .rows import by_rows
from .sender import Sender
from .tables import Output, by_records, by_table

__all__ = [
    "BlackScholesGreeks",
    "CreditDiscrimination",
    "OutlierDetection",
    "LogarithmicUtility",
    "RatingMigrationMatrix",
    "IsolationForest",
    "CreditValidation",
    "VarianceGammaGreeks",
    "ScoreStability",
    "IsolationForestFit",
    "IsolationForestScore",
    "RatingMigrationGenerator",
    "AmericanPrice",
    "VarianceGammaCalibration",
    "ForwardOptionGreeks",
    "RatingHistory",
]


class BlackScholesGreeks(NamedTuple):
    """Result of `Computations.black_scholes_greeks`, which describes its fields."""

    delta: float
    gamma: float
    vega: float
    theta: float
    rho: float
    vanna: Optional[float]
    volga: Optional[float]
    zomma: Optional[float]
    charm: Optional[float]
    color: Optional[float]
    speed: Optional[float]


class CreditDiscrimination(NamedTuple):
    """Result of `Computations.credit_discrimination`, which describes its fields."""

    gini: float
    ks_statistic: float
    auc_roc: float
    accuracy_ratio: float


class OutlierDetection(NamedTuple):
    """Result of `Computations.outlier_detection`, which describes its fields."""

    outliers: Any
    outlier_indices: Any


class LogarithmicUtility(NamedTuple):
    """Result of `Computations.logarithmic_utility`, which describes its fields."""

    utility: float
    marginal_utility: float
    absolute_risk_aversion: float
    relative_risk_aversion: float


class RatingMigrationMatrix(NamedTuple):
    """Result of `Computations.rating_migration_matrix`, which describes its fields."""

    transition_matrix: Any
    multi_period_matrix: Any


class IsolationForest(NamedTuple):
    """Result of `Computations.isolation_forest`, which describes its fields."""

    anomaly_scores: Any
    predictions: Any
    threshold: float


class CreditValidation(NamedTuple):
    """Result of `Computations.credit_validation`, which describes its fields."""

    auc_roc: float
    auc_standard_error: Optional[float]
    auc_lower: Optional[float]
    auc_upper: Optional[float]
    gini: float
    ks_statistic: float
    ks_threshold: float
    brier_score: float
    brier_reliability: float
    brier_resolution: float
    brier_uncertainty: float
    expected_calibration_error: float
    hosmer_lemeshow_statistic: Optional[float]
    hosmer_lemeshow_p_value: Optional[float]
    bins: Any


class VarianceGammaGreeks(NamedTuple):
    """Result of `Computations.variance_gamma_greeks`, which describes its fields."""

    price: float
    delta: float
    gamma: float
    d_sigma: float
    d_theta_vg: float
    d_nu: float
    theta: float
    rho: float


class ScoreStability(NamedTuple):
    """Result of `Computations.score_stability`, which describes its fields."""

    psi: float
    bins: Any
    information_value: Any


class IsolationForestFit(NamedTuple):
    """Result of `Computations.isolation_forest_fit`, which describes its fields."""

    model: str
    threshold: float
    n_features: float


class IsolationForestScore(NamedTuple):
    """Result of `Computations.isolation_forest_score`, which describes its fields."""

    anomaly_scores: Any
    predictions: Any
    attributions: Any


class RatingMigrationGenerator(NamedTuple):
    """Result of `Computations.rating_migration_generator`, which describes its fields."""

    generator: Any
    embeddable: Any
    default_probabilities: Any
    warning: Optional[str]
    default_probabilities_lower: Any
    default_probabilities_upper: Any


class AmericanPrice(NamedTuple):
    """Result of `Computations.american_price`, which describes its fields."""

    price: float
    european_price: float
    early_exercise_premium: float
    delta: Optional[float]
    gamma: Optional[float]
    theta: Optional[float]
    vega: Optional[float]
    rho: Optional[float]
    dividend_rho: Optional[float]


class VarianceGammaCalibration(NamedTuple):
    """Result of `Computations.variance_gamma_calibration`, which describes its fields."""

    sigma: float
    theta_vg: float
    nu: float
    rmse: float
    identifiable: Any
    standard_errors: Any
    condition_number: float
    residuals: Any
    iterations: float
    maturities: Any


class ForwardOptionGreeks(NamedTuple):
    """Result of `Computations.forward_option_greeks`, which describes its fields."""

    delta: float
    gamma: float
    vega: float
    theta: float
    rho: float
    vanna: Optional[float]
    volga: Optional[float]
    zomma: Optional[float]
    charm: Optional[float]
    color: Optional[float]
    speed: Optional[float]


class RatingHistory(NamedTuple):
    """Result of `Computations.rating_history`, which describes its fields."""

    transitions: Any
    exposures: Any
    entities: float
    withdrawals: float
    unrated_years: float


class Computations(Sender):
    """One method per operation."""

    @overload
    def variance_gamma_price(  # type: ignore
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
    def variance_gamma_price(
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
    def variance_gamma_price(
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
    def variance_gamma_price(
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

    @also_named(spot="S", strike="K", time_to_maturity="T", risk_free_rate="r", volatility="sigma", dividend_yield="q")
    def variance_gamma_price(
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
    ) -> Any:
        """Variance Gamma price (POST /quantlib/models/variance-gamma/price).

        Price of a European call under Variance Gamma (Madan, Carr & Chang 1998): the log price is a Brownian
        motion with drift theta_vg and volatility sigma, evaluated at a gamma time of mean rate 1 and variance
        rate nu. Requires 1 − theta_vg·nu − sigma²·nu/2 > 0.

        Args:
            S: spot, any currency; > 0.
            K: strike, same unit; > 0.
            T: years to maturity; ≥ 0.
            r: risk-free, decimal per year; continuously compounded.
            sigma: volatility, decimal per year; of the Brownian motion; ≥ 0.
            theta_vg: drift per year; of the Brownian motion; negative means left skew.
            nu: variance rate per year; above 0; of the gamma time; higher means fatter tails; ≥ 0.
            q: dividend yield, decimal per year; continuously compounded; default 0.

        Returns:
            vg_call_price: in the unit of S.
        """
        return by_rows(
            self,
            "/quantlib/models/variance-gamma/price",
            {"S": S, "K": K, "T": T, "r": r, "sigma": sigma, "theta_vg": theta_vg, "nu": nu, "q": q},
            ("vg_call_price",),
        )

    @overload
    def black_scholes_price(  # type: ignore
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
    def black_scholes_price(
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
    def black_scholes_price(
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
    def black_scholes_price(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity", q="dividend_yield")
    def black_scholes_price(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any:
        """Black–Scholes price (POST /quantlib/pricing/bs/price).

        Price of a European option under Black–Scholes–Merton. The dividend yield is continuous, and the
        relative error at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility 0
        the discounted payoff of the forward.

        Args:
            spot: any currency; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: decimal per year; of the log price; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            price: in the unit of spot.
        """
        return by_rows(
            self,
            "/quantlib/pricing/bs/price",
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("price",),
        )

    @overload
    def black_scholes_greeks(
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
    def black_scholes_greeks(
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
    def black_scholes_greeks(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity", q="dividend_yield")
    def black_scholes_greeks(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any:
        """Black–Scholes Greeks (POST /quantlib/pricing/bs/greeks).

        Greeks of a European option under Black–Scholes–Merton: with a continuous dividend yield, to a
        relative 1e-14 (theta, charm and color: of the largest of their terms; where d₁ or d₂ is a factor, it
        counts as at least 0.01) however far out of the money. Vanna to color are absent where they are beyond
        the range of double precision. Maturity 0 or volatility 0 gives the derivatives of the discounted
        payoff of the forward, which is refused only where the forward equals the strike: there delta jumps
        and gamma is infinite. Closed forms: Black & Scholes 1973, eq. 14, and the other derivatives of their
        eq. 13; Merton 1973, section 7.

        Args:
            spot: any currency; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: decimal per year; of the log price; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            delta: per unit of spot; ∂V/∂S.
            gamma: per unit of spot; ∂²V/∂S², change of delta.
            vega: per 1.00; of volatility, ∂V/∂σ; divide by 100 for a percentage point.
            theta: −∂V/∂T, per year; divide by 365 for a calendar day.
            rho: per 1.00; of rate, ∂V/∂r; divide by 10,000 for a basis point.
            vanna: per 1.00; ∂delta/∂σ.
            volga: per 1.00; ∂vega/∂σ.
            zomma: per 1.00; ∂gamma/∂σ.
            charm: per year; −∂delta/∂T.
            color: per year; −∂gamma/∂T.
            speed: per unit; ∂gamma/∂S.
        """
        return by_rows(
            self,
            "/quantlib/pricing/bs/greeks",
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("delta", "gamma", "vega", "theta", "rho", "vanna", "volga", "zomma", "charm", "color", "speed"),
            BlackScholesGreeks,
        )

    @overload
    def black_scholes_implied_volatility(  # type: ignore
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
    def black_scholes_implied_volatility(
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
    def black_scholes_implied_volatility(
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
    def black_scholes_implied_volatility(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", T="time_to_maturity", q="dividend_yield")
    def black_scholes_implied_volatility(
        self,
        *,
        price: Any,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any:
        """Black–Scholes implied volatility (POST /quantlib/pricing/bs/implied-volatility).

        Implied volatility of a European option (under Black–Scholes–Merton with a continuous dividend yield,
        after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c =
        price/(vega·volatility); the answer is that for the price as given, with a relative error of at most
        1e-13 + 2⁻⁷⁰·c. Prices are compared with the exact no-arbitrage bounds: above the lower one by however
        little, the answer is above 0. The bound itself gives 0, and so does a price that differs from it only
        by rounding: one below it by no more than a change of the price by 2⁻⁵¹ of itself, as a price that was
        computed may be off, and of each other input by 2⁻⁵³ of itself, or, without rates, one that equals
        spot less strike (strike less spot) in decimals of at most 15 digits, such as 22.39 for 65.53 and
        43.14. A price below that, or not below the upper bound, is refused.

        Args:
            price: any currency; ≥ 0.
            spot: same unit; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            time_to_maturity: years; > 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            implied_volatility: decimal per year; of the log price.
        """
        return by_rows(
            self,
            "/quantlib/pricing/bs/implied-volatility",
            {"price": price, "spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("implied_volatility",),
        )

    @overload
    def numerical_derivative(  # type: ignore
        self,
        *,
        func_name: Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"],
        x: Union[int, float],
        h: Union[int, float] = 1e-7,
        method: Literal["central", "forward", "backward"] = "central",
    ) -> float: ...

    @overload
    def numerical_derivative(
        self,
        *,
        func_name: Union[Literal["exp", "log", "sin", "cos", "sqrt", "tan", "x2", "x3"], Sequence[str]],
        x: Union[Union[int, float], Sequence[float]],
        h: Union[Union[int, float], Sequence[float]] = 1e-7,
        method: Union[Literal["central", "forward", "backward"], Sequence[str]] = "central",
    ) -> List[float]: ...

    @overload
    def numerical_derivative(
        self,
        *,
        func_name: Any,
        x: Any,
        h: Any = 1e-7,
        method: Any = "central",
    ) -> Any: ...

    def numerical_derivative(
        self,
        *,
        func_name: Any,
        x: Any,
        h: Any = 1e-7,
        method: Any = "central",
    ) -> Any:
        """Numerical derivative (POST /quantlib/numerical/differentiation/derivative).

        Finite difference of a built-in function: central, forward or backward, divided by the difference of
        the two rounded points. x2 is x², x3 is x³.

        Args:
            func_name: built-in function; "exp" or "log" or "sin" or "cos" or "sqrt" or "tan" or "x2" or "x3".
            x: point; in the unit of the function’s argument.
            h: step, in the unit of x; x + h must differ from x in double precision; > 0; default 1e-7.
            method: finite differences; "central" or "forward" or "backward"; default "central".

        Returns:
            derivative: per unit of x; the difference quotient.
        """
        return by_rows(
            self,
            "/quantlib/numerical/differentiation/derivative",
            {"func_name": func_name, "x": x, "h": h, "method": method},
            ("derivative",),
        )

    def credit_discrimination(
        self,
        y_true: Any,
        y_score: Any,
    ) -> CreditDiscrimination:
        """Credit discrimination (POST /quantlib/ml/credit/discrimination).

        How well a score tells defaults apart: area under the ROC curve (Mann–Whitney, ties count one half),
        Gini coefficient and Kolmogorov–Smirnov statistic of a score against defaults; a higher score means a
        higher risk.

        Args:
            y_true: 1 default, 0 not; both must occur; 1 … 1,000,000 items, each 0 … 1.
            y_score: probabilities or scores; in any unit, one per label; 1 … 1,000,000 items.

        Returns:
            gini: 2·AUC − 1; from −1 to 1; -1 … 1.
            ks_statistic: largest gap of the classes; between their distribution functions, from 0 to 1; 0 …
                1.
            auc_roc: ROC area; from 0 to 1; 0 … 1.
            accuracy_ratio: equals gini; -1 … 1.
        """
        result: CreditDiscrimination = by_observation(
            self,
            "/quantlib/ml/credit/discrimination",
            {"y_true": y_true, "y_score": y_score},
            {},
            (Output("gini", "number"), Output("ks_statistic", "number"), Output("auc_roc", "number"), Output("accuracy_ratio", "number")),
            CreditDiscrimination,
        )
        return result

    def outlier_detection(
        self,
        X: Any,
        *,
        method: Literal["zscore", "iqr", "mad"] = "zscore",
        threshold: Union[int, float] = 3,
    ) -> OutlierDetection:
        """Outlier detection (POST /quantlib/ml/preprocessing/outliers).

        Rows with an outlier in some column: by population standard deviations from the mean (zscore), by
        interquartile ranges beyond the type-7 quartiles (iqr), or by 0.6745·|x − median|/MAD (mad). A
        constant column flags nothing.

        Args:
            X: a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns.
            method: detection method; "zscore" or "iqr" or "mad"; default "zscore".
            threshold: 3 is 3-sigma for zscore; > 0; default 3.

        Returns:
            outliers: one per row of X; true where the row is an outlier.
            outlier_indices: rows, from 0; of the outliers, ascending; each ≥ 0.
        """
        result: OutlierDetection = by_observation(
            self,
            "/quantlib/ml/preprocessing/outliers",
            {"X": X},
            {"method": method, "threshold": threshold},
            (Output("outliers", "row"), Output("outlier_indices", "position")),
            OutlierDetection,
        )
        return result

    @overload
    def logarithmic_utility(
        self,
        wealth: Union[int, float],
    ) -> LogarithmicUtility: ...

    @overload
    def logarithmic_utility(
        self,
        wealth: Any,
    ) -> Any: ...

    def logarithmic_utility(
        self,
        wealth: Any,
    ) -> Any:
        """Logarithmic utility (POST /quantlib/economics/utility/log).

        Logarithmic utility of wealth: u(w) = ln w, its derivative 1/w and the Arrow–Pratt coefficients of
        absolute and relative risk aversion.

        Args:
            wealth: any currency; > 0.

        Returns:
            utility: ln(wealth), a pure number.
            marginal_utility: 1/wealth, per currency unit.
            absolute_risk_aversion: 1/wealth, per currency unit.
            relative_risk_aversion: always 1.
        """
        return by_rows(
            self,
            "/quantlib/economics/utility/log",
            {"wealth": wealth},
            ("utility", "marginal_utility", "absolute_risk_aversion", "relative_risk_aversion"),
            LogarithmicUtility,
        )

    def rating_migration_matrix(
        self,
        transitions: Any,
        *,
        periods: int = 1,
    ) -> RatingMigrationMatrix:
        """Rating migration matrix (POST /quantlib/ml/credit/migration).

        Transition probabilities from counts (cohort method) and their projection over several periods as a
        Markov chain. A rating without counts is absorbing.

        Args:
            transitions: counts, a row per from-rating; square, a column per to-rating; 1 … 200 rows, 1 … 200
                columns, each ≥ 0.
            periods: to project; number of periods; 1 … 10,000; default 1.

        Returns:
            transition_matrix: over one period; each row sums to 1; 1 … 1,000,000 rows, 1 … 10,000 columns.
            multi_period_matrix: over the periods; each row sums to 1; 1 … 1,000,000 rows, 1 … 10,000 columns.
        """
        result: RatingMigrationMatrix = by_table(
            self,
            "/quantlib/ml/credit/migration",
            {"transitions": transitions},
            {"periods": periods},
            (Output("transition_matrix", "matrix"), Output("multi_period_matrix", "matrix")),
            RatingMigrationMatrix,
        )
        return result

    def shannon_entropy(
        self,
        probabilities: Any,
        *,
        base: Union[int, float] = 2.718281828459045,
    ) -> float:
        """Shannon entropy (POST /quantlib/physics/entropy/shannon).

        Entropy −Σ p·log(p) of a distribution. The logarithm may have any base: e gives nats, 2 bits, 10 dits;
        a base below 1 gives a negative entropy. The probabilities are used as they are, not rescaled to the
        sum 1.

        Args:
            probabilities: discrete distribution; must sum to 1, within 1e-6; 1 … 1,000,000 items, each ≥ 0.
            base: other than 1; logarithm base; > 0; default 2.718281828459045.

        Returns:
            shannon_entropy: in units of the base.
        """
        result: float = by_table(
            self,
            "/quantlib/physics/entropy/shannon",
            {"probabilities": probabilities},
            {"base": base},
            (Output("shannon_entropy", "number"),),
        )
        return result

    def isolation_forest(
        self,
        X: Any,
        *,
        n_trees: int = 100,
        contamination: Union[int, float] = 0.1,
        random_state: int = 0,
    ) -> IsolationForest:
        """Isolation forest (POST /quantlib/ml/clustering/isolation-forest).

        Anomaly scores of rows by isolation forest (Liu, Ting & Zhou 2008), with trees grown on samples of at
        most 256 rows. The same request gives the same answer on every machine.

        Args:
            X: a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns.
            n_trees: trees; 1 … 1,000; default 100.
            contamination: share of outliers; as expected; rows of equal score get the same prediction; 0 …
                0.5; default 0.1.
            random_state: seed; of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.

        Returns:
            anomaly_scores: from 0 to 1; one per row of X, higher if more anomalous; each 0 … 1.
            predictions: −1 anomaly, 1 normal; one per row of X; each -1 … 1.
            threshold: anomalies score higher; 1, which no row reaches, where there are none.
        """
        result: IsolationForest = by_observation(
            self,
            "/quantlib/ml/clustering/isolation-forest",
            {"X": X},
            {"n_trees": n_trees, "contamination": contamination, "random_state": random_state},
            (Output("anomaly_scores", "row"), Output("predictions", "row"), Output("threshold", "number")),
            IsolationForest,
        )
        return result

    def credit_validation(
        self,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 10,
        confidence: Union[int, float] = 0.95,
        weights: Any = (),
    ) -> CreditValidation:
        """Credit validation (POST /quantlib/ml/credit/validation).

        How well probabilities of default rank and fit: ROC area, Brier score, calibration, Hosmer–Lemeshow
        test. The area’s error is that of DeLong, DeLong & Clarke-Pearson (1988), the decomposition that of
        Murphy (1973), which leaves out what varies within bins. A probability that holds 1/n_bins of the rows
        or more has a bin of its own; Hosmer–Lemeshow is absent if a bin expects 0 or all defaults and
        differs; a bin that agrees adds 0.

        Args:
            y_true: 1 default, 0 not; both occur; 1 … 1,000,000 items, each 0 … 1.
            y_prob: of default; one per label; 1 … 1,000,000 items, each 0 … 1.
            n_bins: of equal count; fewer with ties, more beside own bins; 1 … 1,000; default 10.
            confidence: of intervals; > 0 and < 1; default 0.95.
            weights: rows each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].

        Returns:
            auc_roc: ROC area; 0 … 1.
            auc_standard_error: DeLong; absent, as bounds, with one row of a class; ≥ 0.
            auc_lower: bound; the lower one; 0 … 1.
            auc_upper: bound; the upper one; 0 … 1.
            gini: 2·AUC − 1; -1 … 1.
            ks_statistic: largest distribution gap; 0 … 1.
            ks_threshold: least probability there; 0 … 1.
            brier_score: mean (probability − label)²; 0 … 1.
            brier_reliability: by bins; weighted by rows: (mean − observed rate)²; 0 … 1.
            brier_resolution: by bins; likewise: (observed − overall rate)²; 0 … 1.
            brier_uncertainty: overall rate·(1 − rate); 0 … 1.
            expected_calibration_error: by bins; likewise: |mean − observed rate|; 0 … 1.
            hosmer_lemeshow_statistic: χ²; absent if infinite; ≥ 0.
            hosmer_lemeshow_p_value: bins − 2 degrees; absent below 3 bins; 0 … 1.
            bins: ascending; mirrored for 1 − y_true, 1 − y_prob.
        """
        result: CreditValidation = by_table(
            self,
            "/quantlib/ml/credit/validation",
            {"y_true": y_true, "y_prob": y_prob, "weights": weights},
            {"n_bins": n_bins, "confidence": confidence},
            (Output("auc_roc", "number"), Output("auc_standard_error", "number"), Output("auc_lower", "number"), Output("auc_upper", "number"), Output("gini", "number"), Output("ks_statistic", "number"), Output("ks_threshold", "number"), Output("brier_score", "number"), Output("brier_reliability", "number"), Output("brier_resolution", "number"), Output("brier_uncertainty", "number"), Output("expected_calibration_error", "number"), Output("hosmer_lemeshow_statistic", "number"), Output("hosmer_lemeshow_p_value", "number"), Output("bins", "record")),
            CreditValidation,
        )
        return result

    @overload
    def variance_gamma_greeks(
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
    def variance_gamma_greeks(
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
    def variance_gamma_greeks(
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

    @also_named(spot="S", strike="K", time_to_maturity="T", risk_free_rate="r", volatility="sigma", dividend_yield="q")
    def variance_gamma_greeks(
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
    ) -> Any:
        """Variance Gamma Greeks (POST /quantlib/models/variance-gamma/greeks).

        Price and Greeks of a European option under Variance Gamma (Madan, Carr & Chang 1998). Refused at T =
        0, and where gamma is infinite.

        Args:
            S: spot, any currency; > 0.
            K: strike, same unit; > 0.
            T: years to maturity; ≥ 0.
            r: risk-free, decimal per year; continuously compounded.
            sigma: volatility, decimal per year; of the Brownian motion; ≥ 0.
            theta_vg: drift per year; of the Brownian motion; negative means left skew.
            nu: variance rate per year; above 0; of the gamma time; higher means fatter tails; ≥ 0.
            q: dividend yield, decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            price: in the unit of S.
            delta: per unit of S; ∂V/∂S.
            gamma: per unit of S; ∂²V/∂S².
            d_sigma: per 1.00; ∂V/∂sigma.
            d_theta_vg: per 1.00; ∂V/∂theta_vg.
            d_nu: per 1.00; ∂V/∂nu.
            theta: −∂V/∂T, per year.
            rho: per 1.00; ∂V/∂r.
        """
        return by_rows(
            self,
            "/quantlib/models/variance-gamma/greeks",
            {"S": S, "K": K, "T": T, "r": r, "sigma": sigma, "theta_vg": theta_vg, "nu": nu, "q": q, "option_type": option_type},
            ("price", "delta", "gamma", "d_sigma", "d_theta_vg", "d_nu", "theta", "rho"),
            VarianceGammaGreeks,
        )

    def score_stability(
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
    ) -> ScoreStability:
        """Score stability (POST /quantlib/ml/credit/stability).

        Population stability index of a score between two samples; by bins, with labels weights of evidence
        and information value. A share below 0.0001 counts as 0.0001 in logarithms and differences, without
        renormalising; quantile bins are the same for negated scores, and a score that holds 1/n_bins of
        expected or more has a bin of its own; rows may have weights; monotone bins pool adjacent violators
        (Ayer et al. 1955). Index: Siddiqi (2006, ch. 8); weights of evidence: Good (1950).

        Args:
            expected: development sample; 1 … 1,000,000 items.
            actual: scores to judge; 1 … 1,000,000 items.
            edges: all bounds, rising; [lower, upper), last closed; hold every score; at most 1,001 items;
                default [].
            n_bins: quantiles of expected; without edges; fewer with ties, more beside own bins; 1 … 1,000;
                default 10.
            expected_y_true: 1 default, 0 not; at most 1,000,000 items, each 0 … 1; default [].
            actual_y_true: likewise; at most 1,000,000 items, each 0 … 1; default [].
            monotone: pool bins; until the default rate of expected is monotone; default False.
            expected_weights: rows each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000;
                default [].
            actual_weights: likewise; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].

        Returns:
            psi: sum of contributions; ≥ 0.
            bins: ascending.
            information_value: over all bins; Σ (share of non-defaults − of defaults)·weight of evidence.
        """
        result: ScoreStability = by_table(
            self,
            "/quantlib/ml/credit/stability",
            {"expected": expected, "actual": actual, "edges": edges, "expected_y_true": expected_y_true, "actual_y_true": actual_y_true, "expected_weights": expected_weights, "actual_weights": actual_weights},
            {"n_bins": n_bins, "monotone": monotone},
            (Output("psi", "number"), Output("bins", "record"), Output("information_value", "value")),
            ScoreStability,
        )
        return result

    def isolation_forest_fit(
        self,
        X: Any,
        *,
        n_trees: int = 100,
        max_samples: int = 256,
        contamination: Union[int, float] = 0.1,
        random_state: int = 0,
        columns: Any = (),
    ) -> IsolationForestFit:
        """Isolation forest fit (POST /quantlib/ml/clustering/isolation-forest/fit).

        Grows an isolation forest (Liu, Ting & Zhou 2008) and returns it as a text, to score rows later. The
        service keeps nothing of it. The text has a version and a checksum, and is not secret: whoever has it
        sees some values of X, and column names.

        Args:
            X: a row per observation; each column in its own unit; 1 … 1,000,000 rows, 1 … 10,000 columns.
            n_trees: trees; 1 … 1,000; default 100.
            max_samples: rows of each tree; if X has as many; 2 … 65,536; default 256.
            contamination: share of outliers; as expected; rows of equal score get the same prediction; 0 …
                0.5; default 0.1.
            random_state: seed; of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.
            columns: names; kept in the model; default: those of a DataFrame, unless pandas has numbered them;
                at most 10,000 items, each at most 200 characters.

        Returns:
            model: the forest; send it unchanged to …/score.
            threshold: anomalies score higher; 1 where X has none.
            n_features: columns of X; 1 … 10,000.
        """
        result: IsolationForestFit = by_table(
            self,
            "/quantlib/ml/clustering/isolation-forest/fit",
            {"X": X},
            {"n_trees": n_trees, "max_samples": max_samples, "contamination": contamination, "random_state": random_state, "columns": columns},
            (Output("model", "value"), Output("threshold", "number"), Output("n_features", "number")),
            IsolationForestFit,
        )
        return result

    def isolation_forest_score(
        self,
        X: Any,
        *,
        model: str,
        attributions: bool = False,
        columns: Any = (),
    ) -> IsolationForestScore:
        """Isolation forest score (POST /quantlib/ml/clustering/isolation-forest/score).

        Anomaly scores of rows by a fitted forest: on the rows of the fit those of the single request, bit by
        bit. An attribution is the column’s part of the row’s mean path length: the tests of a path share its
        length by how much each shortened the path to be expected, so the largest parts of an anomalous row
        are of the columns that set it apart.

        Args:
            X: rows to score; 1 … 1,000,000 rows, 1 … 10,000 columns.
            model: the model of a fit.
            attributions: divide paths among columns; default False.
            columns: names; in any order if the model has them; default: those of a DataFrame, unless pandas
                has numbered them; at most 10,000 items, each at most 200 characters.

        Returns:
            anomaly_scores: from 0 to 1; one per row of X, higher if more anomalous; each 0 … 1.
            predictions: −1 anomaly, 1 normal; one per row of X; each -1 … 1.
            attributions: if asked for: per row and column; a row sums to its mean path length; 1 … 1,000,000
                rows, 1 … 10,000 columns, each ≥ 0.
        """
        result: IsolationForestScore = by_observation(
            self,
            "/quantlib/ml/clustering/isolation-forest/score",
            {"X": X},
            {"model": model, "attributions": attributions, "columns": columns},
            (Output("anomaly_scores", "row"), Output("predictions", "row"), Output("attributions", "matrix")),
            IsolationForestScore,
        )
        return result

    def rating_migration_generator(
        self,
        transitions: Any,
        *,
        exposures: Any = (),
        method: Literal["logarithm", "duration"] = "logarithm",
        times: Any = (1, 2, 3, 5, 7, 10),
        bootstrap_samples: int = 0,
        confidence: Union[int, float] = 0.95,
        random_state: int = 0,
    ) -> RatingMigrationGenerator:
        """Rating migration generator (POST /quantlib/ml/credit/migration-generator).

        Rates of rating migration in continuous time, and probabilities of default. By the logarithm of the
        cohort matrix (Israel, Rosenthal & Wei 2001), each row replaced by the nearest of a generator (Kreinin
        & Sidelnikova 2001), or by durations: transitions per rating-year. The last rating is default, and
        absorbing.

        Args:
            transitions: counts of a year, square; the last rating is default; 1 … 200 rows, 1 … 200 columns,
                each ≥ 0.
            exposures: years in each rating; for duration; at most 200 items, each ≥ 0; default [].
            method: by the cohort matrix or exposures; the rates of duration ignore the diagonal of
                transitions; "logarithm" or "duration"; default "logarithm".
            times: years; at most 1,000 items, each 0 … 10,000; default [1, 2, 3, 5, 7, 10].
            bootstrap_samples: for intervals; samples of the moves; 0: none; 0 … 10,000; default 0.
            confidence: of intervals; > 0 and < 1; default 0.95.
            random_state: seed; of the samples; −(2⁵³ − 1) … 2⁵³ − 1; default 0.

        Returns:
            generator: rates per year; from row to column, each row sums to 0; 1 … 1,000,000 rows, 1 … 10,000
                columns.
            embeddable: whether the logarithm is a generator; the principal one of the cohort matrix, with its
                diagonal.
            default_probabilities: a row per time; a column per rating; 0 … 1,000,000 rows, 1 … 10,000
                columns, each 0 … 1.
            warning: ratings without default; here, though transitions lead to it.
            default_probabilities_lower: bounds; the lower ones; 0 … 1,000,000 rows, 1 … 10,000 columns, each
                0 … 1.
            default_probabilities_upper: bounds; the upper ones; 0 … 1,000,000 rows, 1 … 10,000 columns, each
                0 … 1.
        """
        result: RatingMigrationGenerator = by_table(
            self,
            "/quantlib/ml/credit/migration-generator",
            {"transitions": transitions, "exposures": exposures, "times": times},
            {"method": method, "bootstrap_samples": bootstrap_samples, "confidence": confidence, "random_state": random_state},
            (Output("generator", "matrix"), Output("embeddable", "value"), Output("default_probabilities", "matrix"), Output("warning", "value"), Output("default_probabilities_lower", "matrix"), Output("default_probabilities_upper", "matrix")),
            RatingMigrationGenerator,
        )
        return result

    @overload
    def american_price(
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
    def american_price(
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
    def american_price(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity", q="dividend_yield")
    def american_price(
        self,
        *,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any:
        """American price (POST /quantlib/pricing/american/price).

        Price and Greeks of an American option. They are exact to a relative 1e-10 (delta 1e-8; gamma and
        theta 1e-7 of the greater of gamma and 1/(spot·σ√T); vega and rhos 1e-7 of the greater of the American
        and the European one). Computed under Black–Scholes–Merton by the integral over the exercise boundary
        (Andersen, Lake & Offengenden 2016; with two boundaries Andersen & Lake 2021), or without maturity
        where exercise is certain before. Refused where many deviations of drift reach the boundary just at
        maturity, or two boundaries.

        Args:
            spot: any currency; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: decimal per year; of the log price; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            price: in the unit of spot.
            european_price: in the unit of spot.
            early_exercise_premium: price less european_price.
            delta: per unit of spot; ∂V/∂S; the Greeks are absent at a kink.
            gamma: per unit of spot; ∂²V/∂S².
            theta: −∂V/∂T, per year.
            vega: per 1.00; of volatility, ∂V/∂σ.
            rho: per 1.00; of rate, ∂V/∂r.
            dividend_rho: per 1.00; of yield, ∂V/∂q.
        """
        return by_rows(
            self,
            "/quantlib/pricing/american/price",
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("price", "european_price", "early_exercise_premium", "delta", "gamma", "theta", "vega", "rho", "dividend_rho"),
            AmericanPrice,
        )

    @overload
    def american_exercise_boundary(
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
    def american_exercise_boundary(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity", q="dividend_yield")
    def american_exercise_boundary(
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
    ) -> Any:
        """American exercise boundary (POST /quantlib/pricing/american/boundary).

        Spot prices at which an American option is exercised. They are given by time to maturity, to a
        relative 1e-8. With negative rates none, or two.

        Args:
            times: years; up to time_to_maturity; 1 … 1,000,000 items, each ≥ 0.
            spot: any currency; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: decimal per year; of the log price; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            critical_prices: by time.
        """
        return by_table(
            self,
            "/quantlib/pricing/american/boundary",
            {"times": times},
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            (Output("critical_prices", "matrix"),),
        )

    @overload
    def american_implied_volatility(  # type: ignore
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
    def american_implied_volatility(
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
    def american_implied_volatility(
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
    def american_implied_volatility(
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

    @also_named(S="spot", K="strike", r="risk_free_rate", T="time_to_maturity", q="dividend_yield")
    def american_implied_volatility(
        self,
        *,
        price: Any,
        spot: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        dividend_yield: Any = 0,
        option_type: Any = "call",
    ) -> Any:
        """American implied volatility (POST /quantlib/pricing/american/implied-volatility).

        Implied volatility of an American option. The relative error is at most 1e-10·price/(vega·volatility).
        The least price, without volatility, gives 0.

        Args:
            price: any currency; ≥ 0.
            spot: same unit; > 0.
            strike: same unit; > 0.
            risk_free_rate: decimal per year; continuously compounded.
            time_to_maturity: years; > 0.
            dividend_yield: decimal per year; continuously compounded; default 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".

        Returns:
            implied_volatility: decimal per year; of the log price.
        """
        return by_rows(
            self,
            "/quantlib/pricing/american/implied-volatility",
            {"price": price, "spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("implied_volatility",),
        )

    @overload
    def variance_gamma_calibration(
        self,
        quotes: Any,
        *,
        S: Union[int, float],
        r: Union[int, float],
        q: Union[int, float] = 0,
        per_maturity: bool = False,
    ) -> VarianceGammaCalibration: ...

    @overload
    def variance_gamma_calibration(
        self,
        quotes: Any,
        *,
        spot: Any,
        risk_free_rate: Any,
        dividend_yield: Any = 0,
        per_maturity: Any = False,
    ) -> VarianceGammaCalibration: ...

    @also_named(spot="S", risk_free_rate="r", dividend_yield="q")
    def variance_gamma_calibration(
        self,
        quotes: Any,
        *,
        S: Union[int, float],
        r: Union[int, float],
        q: Union[int, float] = 0,
        per_maturity: bool = False,
    ) -> VarianceGammaCalibration:
        """Variance Gamma calibration (POST /quantlib/models/variance-gamma/calibrate).

        Parameters that fit quoted prices (Madan, Carr & Chang 1998): those with the least weighted squares,
        by Levenberg–Marquardt (Moré 1978) from 25 starts and across strikes next to the density’s
        singularity. Implied volatilities are turned into prices. The condition number is that of the
        derivatives by ln sigma, theta_vg·√nu/sigma and ln nu; from 1e7 on, and where no search settles to
        1e-6, as sigma or nu tends to 0 or prices are tiny, the parameters count as not identifiable.

        Args:
            quotes: options; refused outside the no-arbitrage bounds; 3 … 2,000 items.
            S: spot, any currency; > 0.
            r: risk-free, decimal per year; continuously compounded.
            q: dividend yield, decimal per year; continuously compounded; default 0.
            per_maturity: also fit each T (years) alone; default False.

        Returns:
            sigma: decimal per year; ≥ 0.
            theta_vg: per year.
            nu: per year; ≥ 0.
            rmse: in the unit of S; root mean square of residuals, weighted; ≥ 0.
            identifiable: by the quotes; whether they determine the parameters.
            standard_errors: where identifiable; with more than 3 quotes of a weight above 0.
            condition_number: at most 1e16.
            residuals: model less quoted price; in order.
            iterations: steps; of all searches; 0 … 2⁵³ − 1.
            maturities: with per_maturity; ascending.
        """
        result: VarianceGammaCalibration = by_records(
            self,
            "/quantlib/models/variance-gamma/calibrate",
            {"quotes": quotes},
            {"S": S, "r": r, "q": q, "per_maturity": per_maturity},
            (Output("sigma", "number"), Output("theta_vg", "number"), Output("nu", "number"), Output("rmse", "number"), Output("identifiable", "value"), Output("standard_errors", "value"), Output("condition_number", "number"), Output("residuals", "row"), Output("iterations", "number"), Output("maturities", "record")),
            VarianceGammaCalibration,
        )
        return result

    @overload
    def forward_option_greeks(
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
    def forward_option_greeks(
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
    def forward_option_greeks(
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

    @also_named(F="forward", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity")
    def forward_option_greeks(
        self,
        *,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any:
        """Forward option Greeks (POST /quantlib/pricing/forward/greeks).

        Greeks of an option on a forward (derivatives of its price at a fixed forward), to a relative 1e-13
        (theta, charm and color: of their largest term; where a distance in deviations is a factor, it counts
        as at least 0.01). Refused at the kink of a payoff. Vanna to color are absent where they are beyond
        the range of double precision.

        Args:
            forward: any currency; above 0 with black_76.
            strike: same unit.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: per year, bachelier in the unit of forward; black_76: of the log price, as a decimal;
                ≥ 0.
            time_to_maturity: years; ≥ 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".
            model: lognormal or normal prices; "black_76" or "bachelier"; default "black_76".

        Returns:
            delta: per unit of forward; ∂V/∂F.
            gamma: per unit of forward; ∂²V/∂F².
            vega: per 1.00; of volatility, ∂V/∂σ.
            theta: −∂V/∂T, per year.
            rho: per 1.00; of rate, ∂V/∂r = −T·V.
            vanna: per 1.00; ∂delta/∂σ.
            volga: per 1.00; ∂vega/∂σ.
            zomma: per 1.00; ∂gamma/∂σ.
            charm: per year; −∂delta/∂T.
            color: per year; −∂gamma/∂T.
            speed: per unit; ∂gamma/∂F.
        """
        return by_rows(
            self,
            "/quantlib/pricing/forward/greeks",
            {"forward": forward, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "option_type": option_type, "model": model},
            ("delta", "gamma", "vega", "theta", "rho", "vanna", "volga", "zomma", "charm", "color", "speed"),
            ForwardOptionGreeks,
        )

    @overload
    def forward_option_implied_volatility(  # type: ignore
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
    def forward_option_implied_volatility(
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
    def forward_option_implied_volatility(
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
    def forward_option_implied_volatility(
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

    @also_named(F="forward", K="strike", r="risk_free_rate", T="time_to_maturity")
    def forward_option_implied_volatility(
        self,
        *,
        price: Any,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any:
        """Forward option implied volatility (POST /quantlib/pricing/forward/implied-volatility).

        Implied volatility of an option on a forward. The relative error is at most 1e-13 +
        2⁻⁷⁰·price/(vega·volatility). The lower bound, to rounding, gives 0.

        Args:
            price: any currency; ≥ 0.
            forward: any currency; above 0 with black_76.
            strike: same unit.
            risk_free_rate: decimal per year; continuously compounded.
            time_to_maturity: years; > 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".
            model: lognormal or normal prices; "black_76" or "bachelier"; default "black_76".

        Returns:
            implied_volatility: per year, bachelier in the unit of forward; black_76: of the log price, as a
                decimal; ≥ 0.
        """
        return by_rows(
            self,
            "/quantlib/pricing/forward/implied-volatility",
            {"price": price, "forward": forward, "strike": strike, "risk_free_rate": risk_free_rate, "time_to_maturity": time_to_maturity, "option_type": option_type, "model": model},
            ("implied_volatility",),
        )

    @overload
    def forward_option_price(  # type: ignore
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
    def forward_option_price(
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
    def forward_option_price(
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
    def forward_option_price(
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

    @also_named(F="forward", K="strike", r="risk_free_rate", sigma="volatility", T="time_to_maturity")
    def forward_option_price(
        self,
        *,
        forward: Any,
        strike: Any,
        risk_free_rate: Any,
        volatility: Any,
        time_to_maturity: Any,
        option_type: Any = "call",
        model: Any = "black_76",
    ) -> Any:
        """Forward option price (POST /quantlib/pricing/forward/price).

        Price of a European option on a forward or future (Black 1976; Bachelier 1900, where prices may be
        below 0), with a relative error of at most 1e-13.

        Args:
            forward: any currency; above 0 with black_76.
            strike: same unit.
            risk_free_rate: decimal per year; continuously compounded.
            volatility: per year, bachelier in the unit of forward; black_76: of the log price, as a decimal;
                ≥ 0.
            time_to_maturity: years; ≥ 0.
            option_type: right to buy or sell; call: to buy, put: to sell; "call" or "put"; default "call".
            model: lognormal or normal prices; "black_76" or "bachelier"; default "black_76".

        Returns:
            price: in the unit of forward.
        """
        return by_rows(
            self,
            "/quantlib/pricing/forward/price",
            {"forward": forward, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "option_type": option_type, "model": model},
            ("price",),
        )

    def rating_history(
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
    ) -> RatingHistory:
        """Rating history (POST /quantlib/ml/credit/rating-history).

        Counts of rating moves from histories; the input of migration and migration-generator. Rows come in
        any order; of several of an entity and time the last one given holds, until its next time. By cohorts
        that are looked at each period (Jarrow, Lando & Turnbull 1997), or by durations with the years in each
        rating (Lando & Skødeberg 2002). A date is its midnight in UTC; a year of dates has 365.25 days.
        Default is never left.

        Args:
            entities: issuers; one per row, texts or whole numbers; 1 … 1,000,000 items.
            ratings: one per row; from its time on; 1 … 1,000,000 items, each at least 1 character.
            order: best first; all ratings, of which the last is default; 2 … 200 items, each at least 1
                character.
            start: date or years; of the window, as dates or times.
            end: likewise.
            times: years; one per row, where there are no dates; at most 1,000,000 items; default [].
            dates: ISO 8601; one per row; 0 … 1,000,000 items, each at least 1 character; default [].
            method: of counting; "cohort" or "duration"; default "cohort".
            period: years; of cohorts, whole months by the calendar of dates; > 0 and ≤ 10,000; default 1.
            withdrawn: not rated; the ratings that mean so; 0 … 200 items, each at least 1 character; default
                ["NR", "WR"].

        Returns:
            transitions: counts; from row to column, of cohorts also of those who stay; 1 … 1,000,000 rows, 1
                … 10,000 columns.
            exposures: years in each rating; only of duration; each ≥ 0.
            entities: rated in the window; 0 … 2⁵³ − 1.
            withdrawals: moves to withdrawn; of cohorts, ratings that are withdrawn a period later; 0 … 2⁵³ −
                1.
            unrated_years: years withdrawn; until the next rating or the end; ≥ 0.
        """
        result: RatingHistory = by_history(
            self,
            "/quantlib/ml/credit/rating-history",
            {"entities": entities, "ratings": ratings, "order": order, "times": times, "dates": dates, "withdrawn": withdrawn},
            {"start": start, "end": end, "method": method, "period": period},
            (Output("transitions", "matrix"), Output("exposures", "row"), Output("entities", "number"), Output("withdrawals", "number"), Output("unrated_years", "number")),
            RatingHistory,
        )
        return result
