/** Recognises a table by its headings and values, and names the operations that take it. */

import { plural, whole } from '../numbers.ts'
import { guessed } from './guess.ts'
import type { Choice } from './headings.ts'
import { isHeadingOf, plain } from './headings.ts'
import type { Mapping, TableSpec } from './mapping.ts'
import { areRatings, countedRows, isHeadingOfRatings, isOfRatings } from './ratings.ts'
import { type Column, cellOf, isDate, isNumeric, type Table, wordsIn } from './table.ts'
import { areBins, areShares, provenUnit, sumOf } from './units.ts'

/** An operation that takes the table. */
export interface Offer {
  /** Without /quantlib/. */
  readonly path: string
  /** What it returns. */
  readonly gives: string
  /** The values of its page, if it takes no table. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** One reading of a table. */
export interface Recognised {
  /** A phrase such as `an option chain`. */
  readonly what: string
  readonly offers: readonly Offer[]
}

/** The readings of a table, the most special first; the last one is that of any numbers. */
export function recognise(table: Table): Recognised[] {
  const special = [optionChain, portfolio, ratingHistory, ratingMoves, ratingMatrix, samples, shares, wealth]
    .map((read) => read(table))
    .filter((found) => found !== null)
  const any = anyNumbers(table)
  const named = new Set(special.flatMap(({ offers }) => offers.map(({ path }) => path)))
  const others = any.offers.filter(({ path }) => !named.has(path))
  return others.length === 0 ? special : [...special, { ...any, offers: others }]
}

const CALL_OR_PUT: Readonly<Record<string, readonly Choice[]>> = { option_type: ['call', 'put'] }
const OPTIONS: TableSpec = {
  kind: 'rows',
  fields: [
    'spot',
    'forward',
    'strike',
    'time_to_maturity',
    'risk_free_rate',
    'volatility',
    'dividend_yield',
    'option_type',
    'price',
  ],
  choices: CALL_OR_PUT,
}
const CALIBRATION: Offer = {
  path: 'models/variance-gamma/calibrate',
  gives: 'Calibration: the Variance Gamma model nearest to all quotes, with its smiles.',
}
const LOANS: TableSpec = {
  kind: 'rows',
  fields: ['y_true', 'y_prob', 'y_score'],
  choices: { y_true: [1, 0] },
}
const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }
const SAMPLES: TableSpec = {
  kind: 'samples',
  fields: ['expected', 'actual', 'sample'],
  needed: ['expected', 'actual'],
  choices: { sample: ['expected', 'actual'] },
}
const MOVES: TableSpec = { kind: 'transitions', field: 'transitions' }

/** Whether a field has a column, or several of which one is asked. */
const hasIn =
  ({ fields, open }: Mapping) =>
  (field: string): boolean =>
    field in fields || field in (open.columns ?? {})

function optionChain(table: Table): Recognised | null {
  const mapping = guessed(OPTIONS, table)
  const has = hasIn(mapping)
  const isUnderlying = has('spot') || has('forward')
  const isOption = has('strike') && (has('time_to_maturity') || has('option_type') || isUnderlying)
  if (!isOption || !(has('price') || has('volatility') || has('time_to_maturity') || isUnderlying))
    return null
  const model = has('forward') && !has('spot') ? 'forward' : 'bs'
  const priced: Offer[] = [
    {
      path: `pricing/${model}/implied-volatility/columns`,
      gives: 'Implied volatilities: one for each quote.',
    },
    // Each quote of a calibration has a maturity of its own.
    ...(has('time_to_maturity') ? [CALIBRATION] : []),
    {
      path: 'pricing/american/implied-volatility/columns',
      gives: 'Implied volatilities of options that may be exercised early.',
    },
  ]
  const varies = (field: string) =>
    field in mapping.fields && wordsIn(table.columns[mapping.fields[field]], 1).length > 1
  const isSmile = has('time_to_maturity') && varies('volatility') && !varies('spot')
  const volatile: Offer[] = [
    {
      path: `pricing/${model}/greeks/columns`,
      gives: 'Greeks: delta, gamma, vega, theta and rho of each row.',
    },
    { path: `pricing/${model}/price/columns`, gives: 'Prices: one for each row.' },
    ...(isSmile && !has('price') ? [CALIBRATION] : []),
  ]
  const offers = [...(has('price') ? priced : []), ...(has('volatility') ? volatile : [])]
  return {
    what: has('price') || isSmile ? 'an option chain' : 'a list of options',
    offers: offers.length > 0 ? offers : volatile,
  }
}

function portfolio(table: Table): Recognised | null {
  const mapping = guessed(LOANS, table)
  const has = hasIn(mapping)
  const isBare = table.columns.length === 2 && isLabelled(table.columns)
  const isScored = has('y_prob') || has('y_score')
  const isOfDefaults = Object.values(mapping.meanings.y_true ?? {}).includes(1)
  const isAny =
    isOfDefaults && table.columns.some((column) => isNumeric(column) && wordsIn(column, 2).length > 2)
  if (!isBare && !(has('y_true') && isScored) && !isAny) return null
  const isProbable = isBare ? table.columns.some(isProbability) : has('y_prob')
  return {
    what: isProbable
      ? 'a portfolio with default probabilities and defaults'
      : 'a portfolio with scores and defaults',
    offers: [
      ...(isProbable
        ? [
            {
              path: 'ml/credit/validation',
              gives:
                'Validation: whether as many default as the probabilities say, Brier score and interval of the AUC.',
            },
          ]
        : []),
      { path: 'ml/credit/discrimination', gives: 'Discrimination: ROC curve, Gini and Kolmogorov–Smirnov.' },
    ],
  }
}

/** Whether one of two columns has two values and the other has many numbers. */
const isLabelled = (columns: readonly Column[]): boolean =>
  columns.some((column) => !isDate(column) && wordsIn(column, 2).length === 2) &&
  columns.some((column) => isNumeric(column) && wordsIn(column, 2).length > 2)

const isProbability = ({ values }: Column): boolean =>
  values.every((value) => Number.isNaN(value) || (value >= 0 && value <= 1)) &&
  values.some((value) => value > 0 && value < 1)

/** A history names entities again, and its ratings are of a known scale or below such a heading. */
function ratingHistory(table: Table): Recognised | null {
  const mapping = guessed(HISTORY, table)
  const [entities, dates, ratings] = HISTORY.fields!.map(
    (field): Column | undefined =>
      table.columns[mapping.fields[field] ?? mapping.open.columns?.[field]?.[0] ?? -1],
  )
  if (entities === undefined || dates === undefined || ratings === undefined) return null
  const isRating = isOfRatings(ratings) || isHeadingOfRatings(ratings.name)
  if (!isRating || new Set(entities.values).size === table.rows) return null
  return {
    what: 'a rating history',
    offers: [
      {
        path: 'ml/credit/rating-history',
        gives: 'Matrix: the moves between ratings, counted; from it rates and default probabilities follow.',
      },
    ],
  }
}

const MIGRATIONS: readonly Offer[] = [
  { path: 'ml/credit/migration', gives: 'Matrix: probabilities of migration over several periods.' },
  {
    path: 'ml/credit/migration-generator',
    gives: 'Generator: rates per year, and default probabilities at any time.',
  },
]

function ratingMoves(table: Table): Recognised | null {
  const mapping = guessed(MOVES, table)
  const { from, to } = mapping.fields
  if (!mapping.isHistory || from === undefined || to === undefined) return null
  return { what: 'a list of rating moves', offers: MIGRATIONS }
}

/** The columns of a matrix have the names of its rows or ratings, or all its cells are the numbers of a square. */
function ratingMatrix(table: Table): Recognised | null {
  const mapping = guessed(MOVES, table)
  const { used } = mapping
  if (mapping.isHistory || used.length < 2) return null
  const names = used.map((i) => table.columns[i].name)
  const rows = countedRows(table, mapping)
  const own = table.columns[mapping.names]
  const isHeading = (_: number, row: number) => own !== undefined && names.includes(String(cellOf(own, row)))
  const areHeadings = 2 * (own?.values.filter(isHeading).length ?? 0) >= table.rows
  const isNamed = own !== undefined && rows !== null && (!table.hasHeader || areHeadings)
  const cells = used.flatMap((i) => [...table.columns[i].values])
  const areMoves = !table.hasHeader || cells.every((value) => value >= 0 && (value <= 1 || value % 1 === 0))
  const isBare = table.columns.length === used.length && rows !== null && used.length > 2 && areMoves
  const isRated = areRatings(names)
  return isNamed || isBare || isRated ? { what: 'a rating matrix', offers: MIGRATIONS } : null
}

const PAIRS =
  /(expected|actual|reference|current|baseline|benchmark|develop|dev\b|train|test|valid|oot|oos|sample|before|after|old|new|prior|previous|last|this|recent|prod|monitor|(19|20)\d\d|q[1-4]\b)/

/** Two columns of numbers with headings of samples or periods, or of which one is longer. */
function samples(table: Table): Recognised | null {
  if ('sample' in guessed(SAMPLES, table).fields)
    return { what: 'samples in the rows of one column', offers: [STABILITY] }
  const { used } = guessed({ kind: 'matrix', field: 'X' }, table)
  const numbers = used.map((i) => table.columns[i]).filter((column) => wordsIn(column, 2).length > 2)
  if (numbers.length !== 2) return null
  const isNamed = numbers.every(({ name }) => PAIRS.test(plain(name)))
  const isUneven = numbers.some(({ gaps, values }) => gaps > 0 && values.subarray(-gaps).every(Number.isNaN))
  if (areBins(numbers, table)) return { what: 'the shares of two samples in bins', offers: [ENTROPY] }
  if (!isNamed && !isUneven) return null
  return { what: 'two samples', offers: [STABILITY] }
}

const STABILITY: Offer = {
  path: 'ml/credit/stability',
  gives: 'Stability: how far the second sample has moved from the first (PSI, Kolmogorov–Smirnov).',
}
const ENTROPY: Offer = {
  path: 'physics/entropy/shannon',
  gives: 'Entropy: how evenly the shares are spread.',
}

/** A table in which one column has numbers with the sum 1 or 100, which may be rounded below a heading of shares. */
function shares(table: Table): Recognised | null {
  const numbers = table.columns.filter(isNumeric)
  const isWhole = (column: Column) =>
    (provenUnit('probabilities', column) !== null ||
      (isHeadingOf('probabilities', column.name) && areShares(column))) &&
    column.values.every((value) => value >= 0) &&
    (numbers.length === 1 || wordsIn(column, 2).length > 2)
  if (table.rows < 2 || numbers.filter(isWhole).length !== 1) return null
  return { what: 'shares of a whole', offers: [ENTROPY] }
}

const MOST_CALLS = 5_000
/** Multiples of a currency in headings. */
const MULTIPLES = [
  {
    by: 1e3,
    words: /\b(k|t)(€|\$|£|eur|usd|chf|gbp|brl)|[€$£]\s?k\b|['’]000|\b(thousands?|tsd|milliers|mil)\b/i,
  },
  {
    by: 1e6,
    words:
      /\b(mm?|mn|mio)\.?\s?(€|\$|£|eur|usd|chf|gbp|brl)|[€$£]\s?(mm?|mn)\b|\b(millions?|mio|millionen)\b/i,
  },
  { by: 1e9, words: /\bbn\b|\b(billions?|mrd|milliarden?)\b/i },
  { by: 1e5, words: /\b(lakhs?|lacs?)\b/i },
  { by: 1e7, words: /\b(crores?|cr)\b/i },
]
/** Units of what is consumed but is no money. */
const PHYSICAL = /(?<!\p{L})([kmgt]?(wh?|j|b)|m3|l|lit(er|re)s?|kg|btu|therms?|gallons?|units?)(?!\p{L})/iu
const UTILITY = '/quantlib/economics/utility/log'

/** Amounts above 0 below a heading of wealth or consumption, as the only numbers but ids: a batch has a call for each. */
function wealth(table: Table): Recognised | null {
  const { names, used } = guessed({ kind: 'matrix', field: 'X' }, table)
  const [column] = used.map((i) => table.columns[i])
  // The page of a batch could not ask how 1,234 is read.
  if (used.length !== 1 || names === used[0] || !isHeadingOf('wealth', column.name)) return null
  if (column.doubt !== null || column.isPercent || PHYSICAL.test(column.name)) return null
  const amounts = [...column.values].filter((value) => !Number.isNaN(value))
  const lacking = table.rows - amounts.length
  if (amounts.length === 0 || amounts.length > MOST_CALLS || !amounts.every((value) => value > 0)) return null
  const multiple = MULTIPLES.find(({ words }) => words.test(column.name))
  const left = lacking === 0 ? '' : ` ${plural(lacking, 'row')} without an amount left out.`
  const times = (by: number, how: string) => ({
    path: 'batch',
    gives: `Logarithmic utility of each amount in ${column.name}${how}, with marginal utility and risk aversion.${left}`,
    values: { calls: amounts.map((amount) => ({ path: UTILITY, body: { wealth: amount * by } })) },
  })
  return {
    what: 'amounts of wealth',
    offers: multiple
      ? [times(multiple.by, ` × ${whole(multiple.by)}`), times(1, ' as it is written')]
      : [times(1, '')],
  }
}

function anyNumbers(table: Table): Recognised {
  const { used } = guessed({ kind: 'matrix', field: 'X' }, table)
  const columns = used.map((i) => table.columns[i])
  const isOf = (count: number, offer: Offer) => (columns.length >= count && table.rows > 2 ? [offer] : [])
  const isCounts =
    columns.length === 1 && columns[0].values.every((value) => value >= 0) && sumOf(columns[0].values) > 0
  return {
    what: columns.length === 1 ? 'a series of numbers' : 'a table of numbers',
    offers: [
      ...isOf(1, {
        path: 'ml/preprocessing/outliers',
        gives: 'Outliers: the rows with values far from the others.',
      }),
      ...isOf(2, {
        path: 'ml/clustering/isolation-forest',
        gives: 'Anomalies: the rows that are unusual in several columns together.',
      }),
      ...(isCounts ? [ENTROPY] : []),
      ...(columns.length === 2 && table.columns.length === 2 ? isOf(2, STABILITY) : []),
    ],
  }
}
