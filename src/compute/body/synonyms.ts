/** Names that books, libraries and our own models give to one quantity, for people who send another one than the operation has. */

/** Each row is a quantity. In lower case, because letter case does not count: `S` and `s` are the spot. */
const QUANTITIES: readonly (readonly string[])[] = [
  ['spot', 's', 's0', 'underlying', 'underlying_price', 'spot_price', 'stock_price'],
  ['strike', 'k', 'x', 'strike_price', 'exercise_price'],
  [
    'time_to_maturity',
    't',
    'tau',
    'ttm',
    'maturity',
    'time_to_expiry',
    'time_to_expiration',
    'expiry',
    'years',
  ],
  ['risk_free_rate', 'r', 'rf', 'rate', 'interest_rate'],
  ['dividend_yield', 'q', 'div', 'dividend', 'dividend_rate', 'carry'],
  ['volatility', 'sigma', 'vol', 'v', 'implied_volatility', 'implied_vol', 'iv'],
  ['forward', 'f', 'f0', 'future', 'forward_price', 'futures_price'],
  ['theta_vg', 'theta'],
  ['price', 'premium', 'option_price', 'market_price'],
  ['option_type', 'type', 'flag', 'right', 'cp', 'call_put'],
  ['y_prob', 'y_score', 'y_pred', 'y_hat', 'score', 'scores', 'probability', 'probabilities', 'pd', 'p'],
  ['y_true', 'y', 'label', 'labels', 'target', 'default', 'defaults'],
  ['n_trees', 'n_estimators', 'trees'],
  ['max_samples', 'sample_size', 'subsample'],
  ['random_state', 'seed'],
  ['n_bins', 'bins', 'buckets'],
  ['periods', 'n', 'steps', 'n_periods', 'horizon'],
  ['transitions', 'matrix', 'counts', 'transition_matrix'],
  ['func_name', 'func', 'function'],
  ['h', 'step', 'step_size', 'dx', 'eps'],
]

/** Longer names are none of these; they are not copied in lower case. */
const LONGEST = Math.max(...QUANTITIES.flat().map((name) => name.length))

const QUANTITY_OF: ReadonlyMap<string, readonly string[]> = new Map(
  QUANTITIES.flatMap((names) => names.map((name) => [name, names] as const)),
)

/** The known field of the quantity that a name stands for: `spot` for `S`, and `S` for `spot`; null: there is none, or more than one. */
export function synonymOf(name: string, known: readonly string[]): string | null {
  const names = name.length > LONGEST ? undefined : QUANTITY_OF.get(name.toLowerCase())
  if (names === undefined) return null
  const meant = known.filter((field) => names.includes(field.toLowerCase()))
  return meant.length === 1 ? meant[0] : null
}
