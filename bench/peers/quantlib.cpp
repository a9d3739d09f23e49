// QuantLib's blackFormula, VarianceGammaEngine, QdFpAmericanEngine and formulas of options on a forward on the cases read from
// standard input, timed on one core. Input: "bs", "ready" (bs from a ready forward), "vg", "american", or "black-" or "bachelier-"
// and "price", "greeks" (black only) or "iv"; the number of repetitions, then one case a line. Output: nanoseconds a result,
// failures, errors.
#include <chrono>
#include <cmath>
#include <iostream>
#include <ql/quantlib.hpp>
#include <string>
#include <vector>
using namespace QuantLib;
using Clock = std::chrono::steady_clock;

namespace {
double nanoseconds(Clock::time_point from) {
    return std::chrono::duration<double, std::nano>(Clock::now() - from).count();
}

// Spot, strike, rate, volatility, maturity, dividend yield, 1 for a call. With `ready`, forward, standard deviation and
// discount are worked out before the clock starts; else they are part of the price, as they are in ours.
int blackScholes(int repetitions, bool ready) {
    std::vector<std::vector<double>> cases;
    for (std::vector<double> c(7); std::cin >> c[0] >> c[1] >> c[2] >> c[3] >> c[4] >> c[5] >> c[6];) cases.push_back(c);
    std::vector<std::vector<double>> made;
    for (const auto& c : cases)
        made.push_back({c[0] * std::exp((c[2] - c[5]) * c[4]), c[3] * std::sqrt(c[4]), std::exp(-c[2] * c[4])});
    double sum = 0;
    const auto start = Clock::now();
    for (int k = 0; k < repetitions; ++k)
        for (size_t n = 0; n < cases.size(); ++n) {
            const auto& c = cases[n];
            const auto type = c[6] == 1 ? Option::Call : Option::Put;
            if (ready) sum += blackFormula(type, c[1], made[n][0], made[n][1], made[n][2]);
            else
                sum += blackFormula(type, c[1], c[0] * std::exp((c[2] - c[5]) * c[4]), c[3] * std::sqrt(c[4]),
                                    std::exp(-c[2] * c[4]));
        }
    std::cout << nanoseconds(start) / (double(repetitions) * cases.size()) << " 0 0\n";
    return std::isnan(sum) ? 1 : 0;
}

// spot, strike, rate, sigma, theta, nu, maturity in days of a 365-day year, dividend yield, price
int varianceGamma(int repetitions) {
    std::vector<std::vector<double>> cases;
    for (std::vector<double> c(9); std::cin >> c[0] >> c[1] >> c[2] >> c[3] >> c[4] >> c[5] >> c[6] >> c[7] >> c[8];)
        cases.push_back(c);
    const Date today(1, January, 2020);
    Settings::instance().evaluationDate() = today;
    const DayCounter days = Actual365Fixed();
    double total = 0;
    int failed = 0, wrong = 0;
    for (const auto& c : cases) {
        Handle<Quote> spot(ext::make_shared<SimpleQuote>(c[0]));
        Handle<YieldTermStructure> rates(ext::make_shared<FlatForward>(today, c[2], days));
        Handle<YieldTermStructure> dividends(ext::make_shared<FlatForward>(today, c[7], days));
        auto process = ext::make_shared<VarianceGammaProcess>(spot, dividends, rates, c[3], c[5], c[4]);
        auto payoff = ext::make_shared<PlainVanillaPayoff>(Option::Call, c[1]);
        auto exercise = ext::make_shared<EuropeanExercise>(today + Integer(c[6]));
        EuropeanOption option(payoff, exercise);
        option.setPricingEngine(ext::make_shared<VarianceGammaEngine>(process));
        double price = 0;
        bool threw = false;
        const auto start = Clock::now();
        for (int k = 0; k < repetitions; ++k) {
            try {
                option.recalculate();
                price = option.NPV();
            } catch (std::exception&) {
                threw = true;
            }
        }
        total += nanoseconds(start) / repetitions;
        if (threw) ++failed;
        else if (!(std::fabs(price - c[8]) <= 1e-6 * c[8])) ++wrong;
    }
    std::cout << total / cases.size() << " " << failed << " " << wrong << "\n";
    return 0;
}

// Spot, strike, rate, volatility, maturity in days of a 365-day year, dividend yield, 1 for a call, price. A new spot before each
// price: the engine keeps nothing of the last one but its process.
int american(int repetitions) {
    std::vector<std::vector<double>> cases;
    for (std::vector<double> c(8); std::cin >> c[0] >> c[1] >> c[2] >> c[3] >> c[4] >> c[5] >> c[6] >> c[7];) cases.push_back(c);
    const Date today(1, January, 2020);
    Settings::instance().evaluationDate() = today;
    const DayCounter days = Actual365Fixed();
    double total = 0;
    int failed = 0, wrong = 0;
    for (const auto& c : cases) {
        Handle<Quote> spot(ext::make_shared<SimpleQuote>(c[0]));
        Handle<YieldTermStructure> rates(ext::make_shared<FlatForward>(today, c[2], days));
        Handle<YieldTermStructure> dividends(ext::make_shared<FlatForward>(today, c[5], days));
        Handle<BlackVolTermStructure> volatility(ext::make_shared<BlackConstantVol>(today, NullCalendar(), c[3], days));
        auto process = ext::make_shared<BlackScholesMertonProcess>(spot, dividends, rates, volatility);
        auto payoff = ext::make_shared<PlainVanillaPayoff>(c[6] == 1 ? Option::Call : Option::Put, c[1]);
        auto exercise = ext::make_shared<AmericanExercise>(today, today + Integer(c[4]));
        VanillaOption option(payoff, exercise);
        option.setPricingEngine(ext::make_shared<QdFpAmericanEngine>(process, QdFpAmericanEngine::accurateScheme()));
        double price = 0;
        bool threw = false;
        const auto start = Clock::now();
        for (int k = 0; k < repetitions; ++k) {
            try {
                option.recalculate();
                price = option.NPV();
            } catch (std::exception&) {
                threw = true;
            }
        }
        total += nanoseconds(start) / repetitions;
        if (threw) ++failed;
        else if (!(std::fabs(price - c[7]) <= 1e-9 * c[7])) ++wrong;
    }
    std::cout << total / cases.size() << " " << failed << " " << wrong << "\n";
    return 0;
}

// Forward, strike, rate, volatility, maturity, 1 for a call, price. Implied volatilities to QuantLib's own accuracy of 1e-14.
int forward(const std::string& what, int repetitions) {
    std::vector<std::vector<double>> cases;
    for (std::vector<double> c(7); std::cin >> c[0] >> c[1] >> c[2] >> c[3] >> c[4] >> c[5] >> c[6];) cases.push_back(c);
    const auto payoffs = [&] {
        std::vector<ext::shared_ptr<StrikedTypePayoff>> made;
        for (const auto& c : cases)
            made.push_back(ext::make_shared<PlainVanillaPayoff>(c[5] == 1 ? Option::Call : Option::Put, c[1]));
        return made;
    }();
    double sum = 0;
    int failed = 0, wrong = 0;
    const auto start = Clock::now();
    for (int k = 0; k < repetitions; ++k)
        for (size_t n = 0; n < cases.size(); ++n) {
            const auto& c = cases[n];
            const auto type = c[5] == 1 ? Option::Call : Option::Put;
            const double root = std::sqrt(c[4]), discount = std::exp(-c[2] * c[4]);
            double found = 0, wanted = c[6];
            try {
                if (what == "black-price") found = blackFormula(type, c[1], c[0], c[3] * root, discount);
                else if (what == "bachelier-price") found = bachelierBlackFormula(type, c[1], c[0], c[3] * root, discount);
                else if (what == "black-greeks") {
                    BlackCalculator calculator(payoffs[n], c[0], c[3] * root, discount);
                    found = calculator.value();
                    sum += calculator.deltaForward() + calculator.gammaForward() + calculator.vega(c[4]) +
                           calculator.theta(c[0], c[4]) + calculator.rho(c[4]);
                } else {
                    wanted = c[3];
                    if (what == "black-iv")
                        found = blackFormulaImpliedStdDev(type, c[1], c[0], c[6], discount, 0, Null<Real>(), 1e-14, 1000) / root;
                    else found = bachelierBlackFormulaImpliedVol(type, c[1], c[0], c[4], c[6], discount);
                }
            } catch (std::exception&) {
                failed += k == 0;
                continue;
            }
            sum += found;
            wrong += k == 0 && !(std::fabs(found - wanted) <= 1e-9 * wanted);
        }
    std::cout << nanoseconds(start) / (double(repetitions) * cases.size()) << " " << failed << " " << wrong << "\n";
    return std::isnan(sum) ? 1 : 0;
}
}

int main() {
    std::string what;
    int repetitions = 0;
    std::cin >> what >> repetitions;
    if (what == "vg") return varianceGamma(repetitions);
    if (what == "american") return american(repetitions);
    if (what.rfind("bla", 0) == 0 || what.rfind("bach", 0) == 0) return forward(what, repetitions);
    return blackScholes(repetitions, what == "ready");
}
