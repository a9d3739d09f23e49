"""The computations of the service as methods, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, List, Literal, NamedTuple, Optional, Sequence, Union, overload

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
]


class BlackScholesGreeks(NamedTuple):
    """Result of `Computations.black_scholes_greeks`, which describes its fields."""

    delta: float
    gamma: float
    vega: float
    theta: float
    rho: float


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

        Price of a European call where the log price is a Brownian motion with drift theta_vg and volatility
        sigma, evaluated at a gamma time of mean rate 1 and variance rate nu (Madan, Carr & Chang 1998).
        Requires 1 − theta_vg·nu − sigma²·nu/2 > 0.

        Args:
            S: current stock price, in any currency unit; > 0.
            K: strike price, in the same unit; > 0.
            T: time to maturity in years; ≥ 0.
            r: risk-free rate, continuously compounded, per year, as a decimal.
            sigma: volatility of the Brownian motion, per year, as a decimal; ≥ 0.
            theta_vg: drift of the Brownian motion, per year; negative means left skew.
            nu: variance rate of the gamma time, per year, greater than 0; higher means fatter tails; ≥ 0.
            q: dividend yield, continuously compounded, per year, as a decimal; default 0.

        Returns:
            vg_call_price: in the unit of S and K.
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

        Price of a European option under Black–Scholes–Merton with a continuous dividend yield, with a
        relative error of at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility
        0 the discounted payoff of the forward.

        Args:
            spot: of the underlying, in any currency unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: of the log price, per year, as a decimal; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            price: in the unit of spot and strike.
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

        Delta, gamma, vega, theta and rho of a European option under Black–Scholes–Merton with a continuous
        dividend yield, to a relative 1e-14 (theta: of the largest of its terms) however far out of the money.
        Maturity 0 or volatility 0 gives the derivatives of the discounted payoff of the forward, which is
        refused only where the forward equals the strike: there delta jumps and gamma is infinite. Closed
        forms: Black & Scholes 1973, eq. 14, and the other derivatives of their eq. 13; Merton 1973, section
        7.

        Args:
            spot: of the underlying, in any currency unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: of the log price, per year, as a decimal; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            delta: ∂V/∂S: change of the price per unit of spot.
            gamma: ∂²V/∂S²: change of delta per unit of spot.
            vega: ∂V/∂σ: change of the price per 1.00 of volatility (divide by 100 for a percentage point).
            theta: −∂V/∂T: change of the price per year that passes (divide by 365 for a calendar day).
            rho: ∂V/∂r: change of the price per 1.00 of rate (divide by 10,000 for a basis point).
        """
        return by_rows(
            self,
            "/quantlib/pricing/bs/greeks",
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("delta", "gamma", "vega", "theta", "rho"),
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

        Volatility at which a European option has a given price under Black–Scholes–Merton with a continuous
        dividend yield (after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c
        = price/(vega·volatility); the answer is that for the price as given, with a relative error of at most
        1e-13 + 2⁻⁷⁰·c. Prices are compared with the exact no-arbitrage bounds: above the lower one by however
        little, the answer is above 0. The bound itself gives 0, and so does a price that differs from it only
        by rounding: one below it by at most half a unit in the last place of each input, or, without rates,
        one that equals spot less strike (strike less spot) in decimals of at most 15 digits, such as 22.39
        for 65.53 and 43.14. A price below that, or not below the upper bound, is refused.

        Args:
            price: price of the option, in any currency unit; ≥ 0.
            spot: of the underlying, in the same unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            time_to_maturity: years; > 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            implied_volatility: of the log price, per year, as a decimal.
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

        Finite difference of a built-in function, central, forward or backward, divided by the difference of
        the two rounded points. x2 is x², x3 is x³.

        Args:
            func_name: built-in function to differentiate; "exp" or "log" or "sin" or "cos" or "sqrt" or "tan"
                or "x2" or "x3".
            x: point of evaluation, in the unit of the function’s argument.
            h: step size, in the unit of x; x + h must differ from x in double precision; > 0; default 1e-7.
            method: finite-difference method; "central" or "forward" or "backward"; default "central".

        Returns:
            derivative: the difference quotient, per unit of x.
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

        Area under the ROC curve (Mann–Whitney, ties count one half), Gini coefficient and Kolmogorov–Smirnov
        statistic of a score against defaults; a higher score means a higher risk.

        Args:
            y_true: true labels: 0 non-default, 1 default; both must occur; 1 … 1,000,000 items, each 0 … 1.
            y_score: predicted probabilities, or risk scores in any unit, one per label; 1 … 1,000,000 items.

        Returns:
            gini: Gini coefficient, 2·AUC − 1, from −1 to 1; -1 … 1.
            ks_statistic: largest gap between the distribution functions of the two classes, from 0 to 1; 0 …
                1.
            auc_roc: area under the ROC curve, from 0 to 1; 0 … 1.
            accuracy_ratio: accuracy ratio, another name for the Gini coefficient; -1 … 1.
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

        Rows that have an outlier in some column: by population standard deviations from the mean (zscore), by
        interquartile ranges beyond the type-7 quartiles (iqr), or by 0.6745·|x − median|/MAD (mad). A
        constant column flags nothing.

        Args:
            X: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 …
                10,000 columns.
            method: detection method; "zscore" or "iqr" or "mad"; default "zscore".
            threshold: detection threshold; 3 means 3-sigma for zscore; > 0; default 3.

        Returns:
            outliers: one per row of X, true where the row is an outlier.
            outlier_indices: zero-based row numbers of the outliers, ascending; each ≥ 0.
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

        Utility u(w) = ln w of a level of wealth, its derivative 1/w and the Arrow–Pratt coefficients of
        absolute and relative risk aversion.

        Args:
            wealth: level of wealth, in any currency unit; > 0.

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

        Transition probabilities from transition counts (cohort method) and their projection over several
        periods as a Markov chain. A rating without counts is absorbing.

        Args:
            transitions: transition counts, square; rows are the from-rating, columns the to-rating; 1 … 200
                rows, 1 … 200 columns, each ≥ 0.
            periods: number of periods of the projection; 1 … 10,000; default 1.

        Returns:
            transition_matrix: transition probabilities, 0 to 1, over one period; each row sums to 1; 1 …
                1,000,000 rows, 1 … 10,000 columns.
            multi_period_matrix: transition probabilities, 0 to 1, over all the periods; each row sums to 1; 1
                … 1,000,000 rows, 1 … 10,000 columns.
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

        Entropy −Σ p·log(p) of a discrete distribution, in the logarithm of any base: e gives nats, 2 bits, 10
        dits; a base below 1 gives a negative entropy. The probabilities are used as they are, not rescaled to
        the sum 1.

        Args:
            probabilities: discrete distribution; must sum to 1, within 1e-6; 1 … 1,000,000 items, each ≥ 0.
            base: logarithm base, other than 1; > 0; default 2.718281828459045.

        Returns:
            shannon_entropy: entropy in units of the base.
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

        Anomaly scores of the rows of a matrix by isolation forest (Liu, Ting & Zhou 2008), with trees grown
        on samples of at most 256 rows. The same request gives the same answer on every machine.

        Args:
            X: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 …
                10,000 columns.
            n_trees: number of trees; 1 … 1,000; default 100.
            contamination: expected proportion of outliers; rows of equal score get the same prediction; 0 …
                0.5; default 0.1.
            random_state: seed of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.

        Returns:
            anomaly_scores: one per row of X, 0 to 1; the higher, the more anomalous; each 0 … 1.
            predictions: one per row of X: −1 anomaly, 1 normal; each -1 … 1.
            threshold: rows with a higher score are anomalies; 1, which no row reaches, where there are none.
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

        Whether predicted probabilities of default rank borrowers and are right: ROC area, Brier score,
        calibration, Hosmer–Lemeshow test. The area’s error is that of DeLong, DeLong & Clarke-Pearson (1988),
        the decomposition that of Murphy (1973), which leaves out what varies within bins. A probability that
        holds 1/n_bins of the rows or more has a bin of its own; Hosmer–Lemeshow is absent if a bin expects 0
        or all defaults and differs; a bin that agrees adds 0.

        Args:
            y_true: 0 non-default, 1 default; both occur; 1 … 1,000,000 items, each 0 … 1.
            y_prob: of default, one per label; 1 … 1,000,000 items, each 0 … 1.
            n_bins: bins of equal count; fewer with ties, more beside own bins; 1 … 1,000; default 10.
            confidence: of the interval; > 0 and < 1; default 0.95.
            weights: rows that each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default
                [].

        Returns:
            auc_roc: area under the ROC curve; 0 … 1.
            auc_standard_error: DeLong; absent, as bounds, with one row of a class; ≥ 0.
            auc_lower: lower bound; 0 … 1.
            auc_upper: upper bound; 0 … 1.
            gini: 2·AUC − 1; -1 … 1.
            ks_statistic: largest distribution gap; 0 … 1.
            ks_threshold: least probability there; 0 … 1.
            brier_score: mean (probability − label)²; 0 … 1.
            brier_reliability: of bins, by rows: (mean − observed rate)²; 0 … 1.
            brier_resolution: likewise: (observed − overall rate)²; 0 … 1.
            brier_uncertainty: overall rate·(1 − rate); 0 … 1.
            expected_calibration_error: likewise: |mean − observed rate|; 0 … 1.
            hosmer_lemeshow_statistic: absent if infinite; ≥ 0.
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

        Price and Greeks of a European call or put under Variance Gamma (Madan, Carr & Chang 1998). Refused at
        T = 0, and where gamma is infinite.

        Args:
            S: current stock price, in any currency unit; > 0.
            K: strike price, in the same unit; > 0.
            T: time to maturity in years; ≥ 0.
            r: risk-free rate, continuously compounded, per year, as a decimal.
            sigma: volatility of the Brownian motion, per year, as a decimal; ≥ 0.
            theta_vg: drift of the Brownian motion, per year; negative means left skew.
            nu: variance rate of the gamma time, per year, greater than 0; higher means fatter tails; ≥ 0.
            q: dividend yield, continuously compounded, per year, as a decimal; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            price: in the unit of S and K.
            delta: ∂V/∂S, per unit of S.
            gamma: ∂²V/∂S², per unit of S.
            d_sigma: ∂V/∂sigma, per 1.00.
            d_theta_vg: ∂V/∂theta_vg, per 1.00.
            d_nu: ∂V/∂nu, per 1.00.
            theta: −∂V/∂T, per year.
            rho: ∂V/∂r, per 1.00.
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

        Population stability index of a score between two samples, by bins; with labels weights of evidence
        and information value. A share below 0.0001 counts as 0.0001 in logarithms and differences, without
        renormalising; quantile bins are the same for negated scores, and a score that holds 1/n_bins of
        expected or more has a bin of its own; rows may have weights; monotone bins pool adjacent violators
        (Ayer et al. 1955). Index: Siddiqi (2006, ch. 8); weights of evidence: Good (1950).

        Args:
            expected: of the development sample; 1 … 1,000,000 items.
            actual: scores to judge; 1 … 1,000,000 items.
            edges: all bounds, rising; [lower, upper), last closed; hold every score; at most 1,001 items;
                default [].
            n_bins: without edges: quantiles of expected; fewer with ties, more beside own bins; 1 … 1,000;
                default 10.
            expected_y_true: 0 non-default, 1 default; at most 1,000,000 items, each 0 … 1; default [].
            actual_y_true: likewise; at most 1,000,000 items, each 0 … 1; default [].
            monotone: pool bins until the default rate of expected is monotone; default False.
            expected_weights: rows that each stands for; at most 1,000,000 items, each 1e-9 … 1,000,000,000;
                default [].
            actual_weights: likewise; at most 1,000,000 items, each 1e-9 … 1,000,000,000; default [].

        Returns:
            psi: sum of the contributions; ≥ 0.
            bins: ascending.
            information_value: Σ (share of non-defaults − of defaults)·weight of evidence.
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
            X: feature matrix, one row per observation, each column in its own unit; 1 … 1,000,000 rows, 1 …
                10,000 columns.
            n_trees: number of trees; 1 … 1,000; default 100.
            max_samples: rows of each tree, if X has as many; 2 … 65,536; default 256.
            contamination: expected proportion of outliers; rows of equal score get the same prediction; 0 …
                0.5; default 0.1.
            random_state: seed of random numbers; −(2⁵³ − 1) … 2⁵³ − 1; default 0.
            columns: names, kept in the model; default: those of a DataFrame, unless pandas has numbered them;
                at most 10,000 items, each at most 200 characters.

        Returns:
            model: the forest; send it unchanged to …/score.
            threshold: rows with a higher score are anomalies; 1 where X has none.
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
            attributions: whether to divide paths among columns; default False.
            columns: names, in any order if the model has them; default: those of a DataFrame, unless pandas
                has numbered them; at most 10,000 items, each at most 200 characters.

        Returns:
            anomaly_scores: one per row of X, 0 to 1; the higher, the more anomalous; each 0 … 1.
            predictions: one per row of X: −1 anomaly, 1 normal; each -1 … 1.
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

        Rates of rating migration in continuous time, and probabilities of default at any times. By the
        logarithm of the cohort matrix (Israel, Rosenthal & Wei 2001), each row replaced by the nearest of a
        generator (Kreinin & Sidelnikova 2001), or by durations: transitions per rating-year. The last rating
        is default, and absorbing.

        Args:
            transitions: counts of a year, square; the last rating is default; 1 … 200 rows, 1 … 200 columns,
                each ≥ 0.
            exposures: for duration: years spent in each rating; at most 200 items, each ≥ 0; default [].
            method: logarithm of the cohort matrix; duration, whose rates ignore the diagonal of transitions;
                "logarithm" or "duration"; default "logarithm".
            times: in years; at most 1,000 items, each 0 … 10,000; default [1, 2, 3, 5, 7, 10].
            bootstrap_samples: samples of the moves for intervals; 0: none; 0 … 10,000; default 0.
            confidence: of the intervals; > 0 and < 1; default 0.95.
            random_state: seed of the samples; −(2⁵³ − 1) … 2⁵³ − 1; default 0.

        Returns:
            generator: rates per year from row to column; each row sums to 0; 1 … 1,000,000 rows, 1 … 10,000
                columns.
            embeddable: whether the principal logarithm of the cohort matrix, with its diagonal, is a
                generator.
            default_probabilities: a row per time, a column per rating; 0 … 1,000,000 rows, 1 … 10,000
                columns, each 0 … 1.
            warning: ratings without default here, though transitions lead to it.
            default_probabilities_lower: lower bounds; 0 … 1,000,000 rows, 1 … 10,000 columns, each 0 … 1.
            default_probabilities_upper: upper bounds; 0 … 1,000,000 rows, 1 … 10,000 columns, each 0 … 1.
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

        Price and Greeks of an option with exercise at any time, to a relative 1e-10 (delta 1e-8; gamma and
        theta 1e-7 of the greater of gamma and 1/(spot·σ√T)). Computed under Black–Scholes–Merton by the
        integral over the exercise boundary (Andersen, Lake & Offengenden 2016; with two boundaries Andersen &
        Lake 2021), or without maturity where exercise is certain before. Refused where many deviations of
        drift reach the boundary just at maturity, or two boundaries.

        Args:
            spot: of the underlying, in any currency unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: of the log price, per year, as a decimal; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            price: in the unit of spot and strike.
            european_price: in the unit of spot.
            early_exercise_premium: price less european_price.
            delta: ∂V/∂S, per unit of spot; the Greeks are absent at a kink.
            gamma: ∂²V/∂S², per unit of spot.
            theta: −∂V/∂T, per year.
        """
        return by_rows(
            self,
            "/quantlib/pricing/american/price",
            {"spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("price", "european_price", "early_exercise_premium", "delta", "gamma", "theta"),
            AmericanPrice,
        )

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

        Spot prices at which an American option is exercised, by time to maturity, to a relative 1e-8. With
        negative rates none, or two.

        Args:
            times: in years, up to time_to_maturity; 1 … 1,000,000 items, each ≥ 0.
            spot: of the underlying, in any currency unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: of the log price, per year, as a decimal; ≥ 0.
            time_to_maturity: years; ≥ 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

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

        Volatility at which an American option has a given price, to a relative 1e-10·price/(vega·volatility).
        The least price, without volatility, gives 0.

        Args:
            price: price of the option, in any currency unit; ≥ 0.
            spot: of the underlying, in the same unit; > 0.
            strike: in the same unit; > 0.
            risk_free_rate: continuously compounded, per year, as a decimal.
            time_to_maturity: years; > 0.
            dividend_yield: continuously compounded, per year; default 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".

        Returns:
            implied_volatility: of the log price, per year, as a decimal.
        """
        return by_rows(
            self,
            "/quantlib/pricing/american/implied-volatility",
            {"price": price, "spot": spot, "strike": strike, "risk_free_rate": risk_free_rate, "time_to_maturity": time_to_maturity, "dividend_yield": dividend_yield, "option_type": option_type},
            ("implied_volatility",),
        )

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

        Parameters with the least weighted squares of model less quoted prices (Madan, Carr & Chang 1998), by
        Levenberg–Marquardt (Moré 1978) from 25 starts and across strikes next to the density’s singularity.
        Implied volatilities are turned into prices. The condition number is that of the derivatives by ln
        sigma, theta_vg·√nu/sigma and ln nu; from 1e7 on, and where no search settles to 1e-6, as sigma or nu
        tends to 0 or prices are tiny, the parameters count as not identifiable.

        Args:
            quotes: quoted options; refused outside the no-arbitrage bounds; 3 … 2,000 items.
            S: current stock price, in any currency unit; > 0.
            r: risk-free rate, continuously compounded, per year, as a decimal.
            q: dividend yield, continuously compounded, per year, as a decimal; default 0.
            per_maturity: also fit each T (years) by itself; default False.

        Returns:
            sigma: per year, as a decimal; ≥ 0.
            theta_vg: per year.
            nu: per year; ≥ 0.
            rmse: root of the weighted mean square of the residuals; ≥ 0.
            identifiable: whether the quotes determine the parameters.
            standard_errors: where identifiable, with more than 3 quotes of a weight above 0.
            condition_number: at most 1e16.
            residuals: model less quoted price, in order.
            iterations: steps of all searches; 0 … 2⁵³ − 1.
            maturities: with per_maturity, ascending.
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

        Derivatives of the forward option price at a fixed forward, to a relative 1e-13 (theta: of its larger
        term). Refused at the kink of a payoff.

        Args:
            forward: in any currency unit; above 0 with black_76.
            strike: in the same unit.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: per year; black_76: of the log price, as a decimal; bachelier: in the unit of forward;
                ≥ 0.
            time_to_maturity: years; ≥ 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".
            model: normal increments of the log price, or price; "black_76" or "bachelier"; default
                "black_76".

        Returns:
            delta: ∂V/∂F, per unit of forward.
            gamma: ∂²V/∂F², per unit of forward.
            vega: ∂V/∂σ, per 1.00 of volatility.
            theta: −∂V/∂T, per year.
            rho: ∂V/∂r = −T·V, per 1.00 of rate.
        """
        return by_rows(
            self,
            "/quantlib/pricing/forward/greeks",
            {"forward": forward, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "option_type": option_type, "model": model},
            ("delta", "gamma", "vega", "theta", "rho"),
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

        Volatility at which an option on a forward has a given price, with a relative error of at most 1e-13 +
        2⁻⁷⁰·price/(vega·volatility). The lower bound, to the rounding of the inputs, gives 0.

        Args:
            price: of the option, in any currency unit; ≥ 0.
            forward: in any currency unit; above 0 with black_76.
            strike: in the same unit.
            risk_free_rate: continuously compounded, per year, as a decimal.
            time_to_maturity: years; > 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".
            model: normal increments of the log price, or price; "black_76" or "bachelier"; default
                "black_76".

        Returns:
            implied_volatility: per year; black_76: of the log price, as a decimal; bachelier: in the unit of
                forward; ≥ 0.
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
            forward: in any currency unit; above 0 with black_76.
            strike: in the same unit.
            risk_free_rate: continuously compounded, per year, as a decimal.
            volatility: per year; black_76: of the log price, as a decimal; bachelier: in the unit of forward;
                ≥ 0.
            time_to_maturity: years; ≥ 0.
            option_type: right to buy (call) or to sell (put); "call" or "put"; default "call".
            model: normal increments of the log price, or price; "black_76" or "bachelier"; default
                "black_76".

        Returns:
            price: in the unit of forward and strike.
        """
        return by_rows(
            self,
            "/quantlib/pricing/forward/price",
            {"forward": forward, "strike": strike, "risk_free_rate": risk_free_rate, "volatility": volatility, "time_to_maturity": time_to_maturity, "option_type": option_type, "model": model},
            ("price",),
        )
