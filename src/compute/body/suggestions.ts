/** Guesses the meaning of values that are nearly valid: a misspelt name or word, another name of a quantity, a percentage as text. */

/**
 * Returns the candidate with the fewest edits, if these are at most a third of its length; the first if several are equal.
 * Letter case does not count. The work is bounded by the candidates, however long the name is.
 */
export function nearest(name: string, candidates: readonly string[]): string | null {
  let found: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const most = Math.min(fewest - 1, Math.max(1, Math.floor(candidate.length / 3)))
    if (Math.abs(name.length - candidate.length) > most) continue
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase(), most)
    if (edits > most) continue
    found = candidate
    fewest = edits
  }
  return found
}

/**
 * Levenshtein (1966), row by row in one array.
 * @param most the search ends as soon as the distance is certain to be greater; the result is then greater, too
 */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  const row = new Uint16Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    const character = a.charCodeAt(i - 1)
    let diagonal = row[0]
    let least = i
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]
      const edits = Math.min(
        above + 1,
        row[j - 1] + 1,
        diagonal + (character === b.charCodeAt(j - 1) ? 0 : 1),
      )
      diagonal = above
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > most) return least
  }
  return row[b.length]
}

const MAX_TEXT = 40
const PERCENTAGE = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*%\s*$/

/** `must be one of: call, put`, and the word that is meant: `"CALL"`, `"c"` and `"cal"` mean `call`. */
export function mustBeOneOf(words: readonly unknown[], value: unknown): string {
  const known = words.filter((word) => typeof word === 'string')
  const meant = typeof value === 'string' && value !== '' ? wordMeant(value.slice(0, MAX_TEXT), known) : null
  return `must be one of: ${words.join(', ')}${meant === null ? '' : `; did you mean "${meant}"?`}`
}

/** The only word that begins with the typed text, else the nearest one. */
function wordMeant(typed: string, words: readonly string[]): string | null {
  const begun = words.filter((word) => word.toLowerCase().startsWith(typed.trim().toLowerCase()))
  return begun.length === 1 ? begun[0] : nearest(typed.trim(), words)
}

/** For a percentage in quotes, `: send 0.2 for "20%"`. */
export function percentageHint(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return ''
  const [text, digits] = PERCENTAGE.exec(value) ?? []
  // Rounded to 15 digits, 20.1/100 is 0.201.
  return text === undefined
    ? ''
    : `: send ${Number((Number(digits) / 100).toPrecision(15))} for "${text.trim()}"`
}

/**
 * Names that books, libraries and our own models give to one quantity, for people who send another one than the operation has. Each row
 * is a quantity. In lower case, because letter case does not count: `S` and `s` are the
 * spot.
 */
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
  ['dividend_yield', 'q', 'div', 'dividend', 'dividend_rate'],
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
