// Reference vectors of American options: the differential equation of the early exercise premium on the side of the boundary where the
// option is held, in long double. Nothing of the integral equations of the service is used.
//
// In units of the strike and of time in which the variance is 1, the premium of a put is p = V − European. With τ the time to
// maturity, s = ln τ, the boundary ln b = ln limit − √τ·g(s) and x = ln b + √τ·η, P = p/τ satisfies
//   ∂P/∂s = P''/2 + P'·(η/2 − g/2 − ∂g/∂s + √τ·(r − q − ½)) − (1 + r·τ)·P,
// P(0) = (1 − b − European)/τ, P'(0) its slope, P(∞) = 0. Both P and g change slowly with s, also at expiry: so Chebyshev points in η and
// backward differences of order 4 in s are precise. It begins at exp(−24) of the maturity with the
// solution without ∂/∂s, which is forgotten as τ^1.5. The same equations in first order give the derivatives by r and q; that by σ
// follows from the equation of values, because V depends on r/σ², q/σ² and σ²·T alone.
//
// Usage: front SEED RUNS: each run has one pair of rates and PER_RUN options. A line an option: the input and what is wanted, by the
// finest of three discretisations, and its errors as the two others show them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef long double real;
#define MOST 88
#define ORDER 4
#define PER_RUN 50
static const real ALPHA[ORDER + 1] = {125, -240, 180, -80, 15}; // sixtieths
static const real REACH = 14, SPAN = 24;

static unsigned long long state;
static double uniform(void) {
    state += 0x9E3779B97F4A7C15ULL;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double between(double a, double b) { return a + (b - a) * uniform(); }
static double decades(double a, double b) { return exp(between(log(a), log(b))); }

static real below(real d) { return erfcl(-d * 0.70710678118654752440084436210485L) / 2; }
static real density(real d) { return 0.39894228040143267793994605993438L * expl(-d * d / 2); }

typedef struct { real r, q, limit; int n; real eta[MOST], d1[MOST][MOST], d2[MOST][MOST]; } Problem;

static void chebyshev(Problem *a, int n) {
    a->n = n;
    real scale[MOST];
    for (int j = 0; j <= n; j++) {
        real s = sinl(M_PIl * j / (2 * n));
        a->eta[j] = REACH * s * s;
        scale[j] = (j == 0 || j == n ? 2 : 1) * (j % 2 ? -1 : 1);
    }
    for (int i = 0; i <= n; i++) {
        real sum = 0;
        for (int j = 0; j <= n; j++)
            if (i != j) {
                // η_i − η_j without cancellation.
                real gap = REACH * sinl(M_PIl * (i + j) / (2 * n)) * sinl(M_PIl * (i - j) / (2 * n));
                a->d1[i][j] = scale[i] / scale[j] / gap;
                sum += a->d1[i][j];
            }
        a->d1[i][i] = -sum;
    }
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            real sum = 0;
            for (int k = 0; k <= n; k++) sum += a->d1[i][k] * a->d1[k][j];
            a->d2[i][j] = sum;
        }
}

// At the boundary: P, its slope by η, and their derivatives by g.
static void matching(const Problem *a, real s, real g, real *value, real *slope, real *byValue, real *bySlope) {
    real t = expl(s), root = expl(s / 2), c = logl(a->limit) - root * g, b = expl(c);
    real d = c / root + (a->r - a->q + 0.5L) * root;
    real call = b * expl(-a->q * t) * below(d) - expl(-a->r * t) * below(d - root);
    real held = -expm1l(-a->q * t) + expl(-a->q * t) * below(d);
    *value = (-expm1l(-a->r * t) + b * expm1l(-a->q * t) - call) / t;
    *slope = -b * held / root;
    *byValue = b * held / root;
    *bySlope = b * held + b * expl(-a->q * t) * density(d) / root;
}

// The derivatives of ln limit by r and q.
static void limits(const Problem *a, real *by) {
    by[0] = a->limit < 1 ? 1 / a->r : 0;
    by[1] = a->limit < 1 ? -1 / a->q : 0;
}

// Those of P and of its slope at the boundary, for a constant g.
static void matchingChanges(const Problem *a, real s, real g, real *value, real *slope) {
    real t = expl(s), root = expl(s / 2), c = logl(a->limit) - root * g, b = expl(c), moved[2];
    real d = c / root + (a->r - a->q + 0.5L) * root;
    real held = -expm1l(-a->q * t) + expl(-a->q * t) * below(d), peak = b * expl(-a->q * t) * density(d);
    limits(a, moved);
    for (int k = 0; k < 2; k++) {
        value[k] = -b * held / t * moved[k];
        slope[k] = -(b * held / root + peak / root / root) * moved[k];
    }
    value[0] += expl(-a->r * t) * below(root - d);
    value[1] -= b * expl(-a->q * t) * below(-d);
    slope[0] -= peak;
    slope[1] += peak - b * root * expl(-a->q * t) * below(-d);
}

// The elimination is in double: it only makes Newton's steps, and their right-hand sides are long double. The two columns behind
// that of the step are the derivatives by r and q.
static void solve(int n, double m[MOST + 2][MOST + 6]) {
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int i = c + 1; i < n; i++) if (fabs(m[i][c]) > fabs(m[p][c])) p = i;
        if (p != c) for (int j = c; j <= n + 2; j++) { double x = m[c][j]; m[c][j] = m[p][j]; m[p][j] = x; }
        for (int i = c + 1; i < n; i++) {
            double f = m[i][c] / m[c][c];
            for (int j = c; j <= n + 2; j++) m[i][j] -= f * m[c][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = n; k <= n + 2; k++) {
            for (int j = i + 1; j < n; j++) m[i][k] -= m[i][j] * m[j][k];
            m[i][k] /= m[i][i];
        }
    }
}

// P[0…n] and g at n + 1, with their derivatives by r and q.
typedef real State[3][MOST + 2];

// Newton's method for the values of a state, where the derivative by s is rate·P + past. Returns the last change.
static real newton(const Problem *a, real s, real rate, State past, State now) {
    real *P = now[0];
    static double m[MOST + 2][MOST + 6];
    int n = a->n;
    real t = expl(s), root = expl(s / 2), change = 1;
    for (int count = 0; count < 30 && change > 1e-11L; count++) {
        memset(m, 0, sizeof m);
        real g = P[n + 1], gs = rate * g + past[0][n + 1], value, slope, byValue, bySlope, values[2], slopes[2];
        matching(a, s, g, &value, &slope, &byValue, &bySlope);
        matchingChanges(a, s, g, values, slopes);
        for (int i = 1; i < n; i++) {
            real p1 = 0, p2 = 0, speed = a->eta[i] / 2 - g / 2 - gs + root * (a->r - a->q - 0.5L);
            for (int j = 0; j <= n; j++) {
                p1 += a->d1[i][j] * P[j];
                p2 += a->d2[i][j] * P[j];
                m[i][j] = a->d2[i][j] / 2 + speed * a->d1[i][j];
            }
            m[i][i] -= 1 + a->r * t + rate;
            m[i][n + 1] = -p1 * (0.5L + rate);
            m[i][n + 2] = p2 / 2 + speed * p1 - (1 + a->r * t + rate) * P[i] - past[0][i];
            for (int k = 0; k < 2; k++) m[i][n + 3 + k] = (k ? -1 : 1) * root * p1 - (k ? 0 : t * P[i]) - past[k + 1][i] - p1 * past[k + 1][n + 1];
        }
        m[0][0] = 1; m[0][n + 1] = -byValue; m[0][n + 2] = P[0] - value;
        m[n][n] = 1; m[n][n + 2] = P[n];
        real p1 = 0;
        for (int j = 0; j <= n; j++) { m[n + 1][j] = a->d1[0][j]; p1 += a->d1[0][j] * P[j]; }
        m[n + 1][n + 1] = -bySlope; m[n + 1][n + 2] = p1 - slope;
        for (int k = 0; k < 2; k++) { m[0][n + 3 + k] = -values[k]; m[n + 1][n + 3 + k] = -slopes[k]; }
        solve(n + 2, m);
        real most = 0, size = 0, step = m[n + 1][n + 2], damp = fabsl(step) > 0.5L ? 0.5L / fabsl(step) : 1;
        for (int j = 0; j <= n + 1; j++) {
            P[j] -= damp * m[j][n + 2];
            if (j <= n) { most = fmaxl(most, fabsl(m[j][n + 2])); size = fmaxl(size, fabsl(P[j])); }
        }
        for (int j = 0; j <= n + 1; j++) for (int k = 0; k < 2; k++) now[k + 1][j] = -m[j][n + 3 + k];
        change = fmaxl(most / size, fabsl(step));
        if (!(change < 1e30L)) return 1;
    }
    return change;
}

// Keeps the solution at the steps with a place in `keep`, which count back from the end in units of the coarsest step.
static int march(const Problem *a, real end, real h, int ratio, int kept, const int *keep, State *into) {
    int n = a->n, steps = (int)ceill(SPAN / h / ratio) * ratio;
    static State history[6];
    State past = {{0}};
    real s = end - steps * h;
    real found = 1;
    // The solution without ∂/∂s, from several g.
    for (real g = 0.4L; g < 9 && !(found < 1e-8L); g *= 1.3L) {
        for (int j = 0; j <= n; j++) history[0][0][j] = 0;
        history[0][0][n + 1] = g;
        found = newton(a, s, 0, past, history[0]);
        if (!(history[0][0][n + 1] > 0)) found = 1;
    }
    if (!(found < 1e-8L)) return 0;
    for (int k = 1; k <= ORDER; k++) memcpy(history[k], history[0], sizeof history[0]);
    for (int step = 1; step <= steps; step++) {
        s = end - (steps - step) * h;
        memmove(history[1], history[0], ORDER * sizeof history[0]);
        for (int l = 0; l < 3; l++) for (int j = 0; j <= n + 1; j++) {
            past[l][j] = 0;
            real guess = 0;
            static const real AHEAD[4] = {4, -6, 4, -1};
            for (int k = 1; k <= ORDER; k++) past[l][j] += ALPHA[k] * history[k][l][j] / (60 * h);
            for (int k = 0; k < 4; k++) guess += AHEAD[k] * history[k + 1][l][j];
            history[0][l][j] = guess;
        }
        if (!(newton(a, s, ALPHA[0] / (60 * h), past, history[0]) < 1e-9L)) return 0;
        for (int k = 0; k < kept; k++)
            if ((steps - step) == keep[k] * ratio) memcpy(into[k], history[0], sizeof history[0]);
    }
    return 1;
}

// The premium, its two derivatives by x and those by r and q at a place.
static void premium(const Problem *a, State P, real t, real eta, real *out) {
    int n = a->n;
    real top[5] = {0}, bottom = 0, moved[2];
    for (int i = 0; i <= n; i++) {
        real D1 = 0, D2 = 0, w = (i == 0 || i == n ? 0.5L : 1) * (i % 2 ? -1 : 1) / (eta - a->eta[i]);
        for (int j = 0; j <= n; j++) { D1 += a->d1[i][j] * P[0][j]; D2 += a->d2[i][j] * P[0][j]; }
        real values[5] = {P[0][i], D1, D2, P[1][i], P[2][i]};
        for (int k = 0; k < 5; k++) top[k] += w * values[k];
        bottom += w;
    }
    limits(a, moved);
    out[0] = t * top[0] / bottom;
    out[1] = sqrtl(t) * top[1] / bottom;
    out[2] = top[2] / bottom;
    // At a constant x the place changes with the boundary.
    for (int k = 0; k < 2; k++) out[3 + k] = t * top[3 + k] / bottom - out[1] * (moved[k] - sqrtl(t) * P[k + 1][n + 1]);
}

static const int SIZES[3] = {60, 48, 60}, RATIOS[3] = {4, 6, 6};
static Problem problem[3];
static State solutions[3][PER_RUN];

int main(int count, char **arguments) {
    state = strtoull(arguments[1], 0, 10);
    int runs = atoi(arguments[2]), failed = 0;
    for (int k = 0; k < 3; k++) chebyshev(&problem[k], SIZES[k]);
    for (int run = 0; run < runs; run++) {
        double sigma = decades(0.05, 0.8), r = between(0, 0.1), q = between(0, 0.1), T = decades(0.02, 20), kind = uniform();
        if (uniform() < 0.2) r = decades(1e-4, 0.3);
        if (kind < 0.15) q = 0;
        else if (kind < 0.35) q = r * (1 + (uniform() < 0.5 ? -1 : 1) * decades(1e-5, 0.5));
        else if (kind < 0.42) q = -between(0, 0.05);
        else if (kind < 0.46) { r = 0; q = -between(0.001, 0.05); }
        else if (kind < 0.52) { r = -between(0.001, 0.02); q = r - between(0.001, 0.04); }
        else if (kind < 0.58) {
            // Drift and variance balance.
            q = r - sigma * sigma * (0.5 + (uniform() < 0.5 ? -1 : 1) * decades(1e-6, 0.2));
            T = decades(0.02, 60);
        } else if (kind < 0.64) {
            // The boundary begins just below the strike.
            q = r * (1 + decades(1e-5, 0.05));
            T = decades(1, 60);
        }
        double vv = sigma * sigma, m = r / vv - q / vv - 0.5;
        // With two boundaries only where they never meet: the equation knows the upper one.
        if (r < 0 && !(m > 0 && m * m + 2 * r / vv > 0)) { run--; continue; }
        double settling = 0.5 * m * m + fabs(r) / vv;
        while (settling * vv * T > 10) T /= 1.5;
        for (int k = 0; k < 3; k++) {
            problem[k].r = r / (real)vv;
            problem[k].q = q / (real)vv;
            problem[k].limit = q > r ? r / (real)q : 1;
        }
        // A boundary that settles soon needs shorter steps.
        real end = logl(vv * T), step = 0.08L / (1 + 1.5L * powl(fmax(settling, 0.125) * vv * T, 0.8L));
        int keep[PER_RUN], ok = 1;
        for (int k = 0; k < PER_RUN; k++) keep[k] = (int)(between(0, 5) / step) * (k % 5 > 0);
        for (int k = 0; k < 3 && ok; k++) ok = march(&problem[k], end, step / RATIOS[k], RATIOS[k], PER_RUN, keep, solutions[k]);
        if (!ok) { failed++; fprintf(stderr, "no solution: r %g q %g sigma %g T %g\n", r, q, sigma, T); continue; }
        for (int k = 0; k < PER_RUN; k++) {
            double maturity = (double)(expl(end - keep[k] * step) / vv);
            real t = (real)maturity * vv, root = sqrtl(t);
            real c = logl(problem[2].limit) - root * solutions[2][k][0][SIZES[2] + 1];
            int isCall = uniform() < 0.5;
            // From the boundary to three deviations out of the money, and at most ten from it.
            double most = fmin(3 * root - c, 10 * root), aim = (double)(c + (uniform() < 0.1 ? decades(1e-3, 0.1) * root : uniform() * most));
            double spot = 100 * exp(isCall ? -aim : aim);
            real x = isCall ? logl(100 / (real)spot) : logl((real)spot / 100), unit = isCall ? (real)spot : 100;
            if (!(x > c)) continue;
            real values[3][5], off[5];
            for (int l = 0; l < 3; l++) {
                real other = logl(problem[l].limit) - root * solutions[l][k][0][SIZES[l] + 1];
                premium(&problem[l], solutions[l][k], t, (x - other) / root, values[l]);
            }
            real rr = problem[2].r, qq = problem[2].q, d = x / root + (rr - qq + 0.5L) * root;
            real u = expl(-rr * t) * below(root - d) - expl(x - qq * t) * below(-d);
            real ux = -expl(x - qq * t) * below(-d), uxx = ux + expl(x - qq * t) * density(d) / root;
            real V = u + values[2][0], Vx = ux + values[2][1], Vxx = uxx + values[2][2];
            real delta = isCall ? V - Vx : Vx * expl(-x), gamma = isCall ? (Vxx - Vx) / spot : (Vxx - Vx) * expl(-2 * x) / 100;
            // By r and q; by ln σ through the equation of values, which holds for the premium too.
            real byR = t * expl(-rr * t) * below(root - d), byQ = t * ux, diffusion = t * (0.5L * (values[2][2] - values[2][1]) + (rr - qq) * values[2][1] - rr * values[2][0]);
            real vega = expl(x - qq * t) * density(d) * root + 2 * (diffusion - rr * values[2][3] - qq * values[2][4]);
            byR = values[2][3] - byR; byQ = values[2][4] - byQ;
            // Steps of 2/3 the length leave 1/5.06 of the error of order 4: this is that of the finest.
            for (int l = 0; l < 5; l++)
                off[l] = fabsl(values[0][l] - values[2][l]) / 4 + fabsl(values[1][l] - values[2][l]);
            printf("{\"input\":{\"spot\":%.17g,\"strike\":100,\"risk_free_rate\":%.17g,\"volatility\":%.17g,\"time_to_maturity\":%.17g,\"dividend_yield\":%.17g,\"option_type\":\"%s\"},"
                   "\"price\":\"%.21Lg\",\"premium\":\"%.21Lg\",\"delta\":\"%.21Lg\",\"gamma\":\"%.21Lg\",\"vega\":\"%.21Lg\",\"rho\":\"%.21Lg\",\"dividendRho\":\"%.21Lg\",\"rateError\":%.3Lg,\"boundary\":\"%.21Lg\",\"priceError\":%.3Lg,\"deltaError\":%.3Lg,\"gammaError\":%.3Lg,\"eta\":%.4Lg}\n",
                   spot, isCall ? q : r, sigma, maturity, isCall ? r : q, isCall ? "call" : "put", unit * V, unit * values[2][0], delta, gamma,
                   unit * vega / sigma, unit * (isCall ? byQ : byR) / vv, unit * (isCall ? byR : byQ) / vv, unit * (off[3] + off[4]) / vv,
                   isCall ? 100 * expl(-c) : 100 * expl(c), unit * off[0], off[1], off[2], (x - c) / root);
        }
        fflush(stdout);
    }
    fprintf(stderr, "%d of %d runs failed\n", failed, runs);
    return 0;
}
