/** The meaning of the columns of tables: what is confirmed and what is asked before a request, and the request itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableFromIPC } from 'apache-arrow'
import { arrowBody } from '../../../src/web/console/data/arrow-body.ts'
import { bodyOf } from '../../../src/web/console/data/json-body.ts'
import { withField } from '../../../src/web/console/data/mapping.ts'
import { windowOf } from '../../../src/web/console/data/ratings.ts'
import { type Fields, requestOf } from '../../../src/web/console/data/request.ts'
import type {
  Ask,
  Mapping,
  Matrix,
  Table,
  TableEntry,
  TableRequest,
  TableSpec,
} from '../../../src/web/console/data/shapes.ts'
import type { Question } from '../../../src/web/console/data/values.ts'
import { models } from '../../../src/web/console/kernels/models.ts'
import { textEntry } from '../../../src/web/console/table-entry.ts'
import { today } from '../../../src/web/console/times.ts'
import { joined } from '../../../src/wire/arrow/write-stream.ts'

const OPTIONS: TableSpec = {
  kind: 'rows',
  fields: [
    'spot',
    'strike',
    'risk_free_rate',
    'volatility',
    'time_to_maturity',
    'dividend_yield',
    'option_type',
  ],
  choices: { option_type: ['call', 'put'] },
}
const MATRIX: TableSpec = { kind: 'matrix', field: 'X' }
const RATINGS: TableSpec = { kind: 'transitions', field: 'transitions' }
const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }
const SHARES: TableSpec = { kind: 'columns', fields: ['probabilities'] }
const SCORES: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_score'],
  choices: { y_true: [1, 0] },
  turns: 'y_score',
}

const SAMPLES: TableSpec = {
  kind: 'samples',
  fields: ['expected', 'actual', 'expected_y_true', 'actual_y_true', 'expected_weights', 'actual_weights'],
  needed: ['expected', 'actual'],
  choices: { expected_y_true: [1, 0], actual_y_true: [1, 0] },
}

/** The table of a text, and its mapping. */
function tableOf(spec: TableSpec, text: string): { table: Table; mapping: Mapping } {
  const { error, mapping, table } = textEntry(spec, text)
  assert.ok(table !== null && mapping !== null, error ?? 'The text is empty.')
  return { table, mapping }
}

const questionsIn = ({ asks }: { readonly asks: readonly (Ask | Question)[] }) =>
  asks.filter((ask): ask is Question => 'answers' in ask)

/** A request whose fields and rows a test reads only where it has them. */
const sentBy = ({ asks, fields, shown }: TableRequest) => ({
  asks: asks.map(({ text }) => text),
  fields: fields!,
  shown: shown!,
})

/** The field that is a matrix. */
function matrixIn(fields: Fields, name: string): Matrix {
  const field = fields[name]
  assert.ok('rows' in field, name)
  return field
}

/** A table and its mapping, with the questions and the request that follow, after changes of the mapping. */
function read(spec: TableSpec, text: string, changes: Partial<Mapping> = {}) {
  const { table, mapping } = tableOf(spec, text)
  const names = Object.fromEntries(
    Object.entries(mapping.fields).map(([field, column]) => [field, table.columns[column].name]),
  )
  const guesses = mapping.guesses.map((guess) => guess.text)
  const request = requestOf(spec, table, { ...mapping, ...changes })
  return { table, mapping, names, guesses, ...sentBy(request) }
}

/** The questions about a table, each with what follows from its answers. */
function questions(spec: TableSpec, text: string): Record<string, string[]> {
  const { table, mapping } = tableOf(spec, text)
  return Object.fromEntries(
    questionsIn(requestOf(spec, table, mapping)).map(({ text, answers }) => [
      text,
      answers.map(({ label, effect }) => `${label}: ${effect}`),
    ]),
  )
}

/** The request after the meanings of columns are confirmed and each answer is given to the first question that has it. */
function answered(spec: TableSpec, text: string, ...labels: string[]) {
  const { table, mapping } = tableOf(spec, text)
  const end = labels.reduce(
    (before: Mapping, label): Mapping => {
      const all = questionsIn(requestOf(spec, table, before)).flatMap(({ answers }) => answers)
      const answer = all.find((one) => one.label === label)
      assert.ok(answer?.mapping, `an answer ${label} among ${all.map((one) => one.label).join(', ')}`)
      return answer.mapping
    },
    { ...mapping, guesses: [] },
  )
  return { mapping: end, ...sentBy(requestOf(spec, table, end)) }
}

const QUOTES: TableSpec = {
  kind: 'records',
  field: 'quotes',
  fields: ['K', 'T', 'price', 'implied_volatility', 'option_type', 'weight'],
  needed: ['K', 'T'],
  choices: { option_type: ['call', 'put'] },
  either: ['implied_volatility', 'price'],
}

test('of volatilities and prices, one is sent: which column has prices is asked, and a choice of one releases the other', () => {
  const text = 'Strike,T,Bid,Mid,IV\n90,0.5,1,1.5,25%\n110,1,2,2.5,20%'
  const choices = (given: string) => Object.entries(questions(QUOTES, given))
  assert.deepEqual(choices(text), [
    [
      'Which column is Price?',
      [
        'Mid: 1.5 in row 1; IV is not used',
        'Bid: 1 in row 1; IV is not used',
        'None of them: IV is Implied volatility',
      ],
    ],
  ])
  assert.deepEqual(choices('Strike,T,Price,IV\n90,0.5,1,25%\n110,1,2,20%'), [
    [
      'Which column is Price?',
      ['Price: 1 in row 1; IV is not used', 'None of them: IV is Implied volatility'],
    ],
  ])
  assert.deepEqual(answered(QUOTES, text, 'Mid').fields.quotes, [
    { K: 90, T: 0.5, price: 1.5 },
    { K: 110, T: 1, price: 2.5 },
  ])
  assert.deepEqual(answered(QUOTES, text, 'None of them').fields.quotes, [
    { K: 90, T: 0.5, implied_volatility: 0.25 },
    { K: 110, T: 1, implied_volatility: 0.2 },
  ])
  const { table, mapping } = tableOf(QUOTES, text)
  const ofPrices = withField(QUOTES, table, mapping, { field: 'price', column: 3 })
  const ofVolatilities = withField(QUOTES, table, ofPrices, { field: 'implied_volatility', column: 4 })
  assert.deepEqual(
    [ofPrices.fields, ofVolatilities.fields],
    [
      { K: 0, T: 1, price: 3 },
      { K: 0, T: 1, implied_volatility: 4 },
    ],
  )
})

test('basis points are probabilities if the heading says so, and ids name the rows beside dates that repeat', () => {
  const PROBABILITIES: TableSpec = { ...SCORES, fields: ['y_true', 'y_prob'], turns: 'y_prob' }
  const tape =
    'loan_number,orig_date,pd_12m_bps,default_flag\n1001,1/20/2024,20,FALSE\n1007,1/20/2024,240,TRUE\n1002,2/20/2024,480,FALSE'
  const { names, fields } = read(PROBABILITIES, tape, { guesses: [] })
  assert.deepEqual(names, { y_true: 'default_flag', y_prob: 'pd_12m_bps' })
  assert.deepEqual(fields.y_prob, Float64Array.of(0.002, 0.024, 0.048))
  assert.deepEqual(Object.keys(questions(MATRIX, tape)), [
    'Does “loan_number” name the rows, or is it measured?',
  ])
})

test('dates that are all past count from no day that the person has not entered', () => {
  const text = 'Strike,Expiry\n90,2024-06-21\n100,2024-09-20'
  const past =
    'All dates in Expiry lie before 2026-01-05, from which they count: enter the day of the data in its heading.'
  assert.deepEqual(read(OPTIONS, text, { day: '2026-01-05', guesses: [] }).asks, [past])
  assert.deepEqual(read(OPTIONS, text, { day: '2024-07-01', guesses: [] }).asks, [])
})

test('each row of a table is an object, without the fields that have no column', () => {
  const { asks, fields } = answered(QUOTES, 'Strike,T,IV,Type\n90,0.5,25,P\n110,1,20,C', 'Per cent')
  assert.deepEqual(asks, [])
  assert.deepEqual(fields.quotes, [
    { K: 90, T: 0.5, implied_volatility: 0.25, option_type: 'put' },
    { K: 110, T: 1, implied_volatility: 0.2, option_type: 'call' },
  ])
  assert.deepEqual(read(QUOTES, 'Strike,IV\n90,0.25', { guesses: [] }).asks, [
    'Choose the column of Time to maturity.',
  ])
})

test('columns with headings of other trades and languages are proposed, and wait for a confirmation', () => {
  for (const [head, strike] of [
    ['S,K,T,r,sigma,q,type', 'K'],
    ['Underlying Price,Strike,DTE,Risk-Free Rate,IV,Div Yield,Call/Put', 'Strike'],
    ['Kassakurs,Basispreis,Laufzeit,Zinssatz,Volatilität,Dividendenrendite,Optionstyp', 'Basispreis'],
    [
      "Cours,Prix d'exercice,Échéance,Taux sans risque,Volatilité,Rendement du dividende,Type d'option",
      "Prix d'exercice",
    ],
  ]) {
    const { asks, guesses, names } = read(
      OPTIONS,
      `${head}\n100,90,0.5,0.03,0.2,0,C\n100,95,0.5,0.03,0.2,0,P`,
    )
    assert.deepEqual(Object.keys(names).sort(), [...OPTIONS.fields!].sort(), head)
    assert.equal(names.strike, strike)
    assert.ok(guesses.length > 0)
    assert.equal(asks.at(-1), 'Confirm the meaning of the columns.')
  }
  const exact = read(OPTIONS, 'spot,strike,option_type\n100,90,call\n100,95,put')
  assert.deepEqual(exact.guesses, [])
  assert.deepEqual(exact.fields.option_type, { values: new Float64Array([0, 1]), words: ['call', 'put'] })
})

test('headings as brokers and banks shorten them are recognised', () => {
  const byBrokers = [
    ['Und Px', 'Strike Px', 'Exp. Date', 'Impl Vol', 'Rf Rate', 'Dvd Yld', 'C/P'],
    ['Undl Price', 'Stk', 'Expiry Dt', 'ImpVol', 'Int Rate', 'Div Yld', 'Put/Call'],
    ['UnderlyingPx', 'Strike_Prc', 'ExpirationDate', 'IVol', 'RFR', 'Div. Yield', 'cp_flag'],
    ['Spot Ref', 'STRIKE_PX', 'Mat Date', 'IV Mid', 'Risk Free Int Rate', 'DVD YLD', 'Opt Typ'],
    ['Last Underlying', 'K', 'Expires', 'Implied Vol.', 'r', 'q', 'P/C'],
  ]
  for (const head of byBrokers) {
    const { names } = read(
      OPTIONS,
      `Contract,${head.join(',')},Open Int,Volume\n${[1, 2].map((i) => `X${i},100,9${i},2090-06-20,0.2,0.03,0,${i === 1 ? 'C' : 'P'},11338,4021`).join('\n')}`,
    )
    assert.deepEqual(
      [
        'spot',
        'strike',
        'time_to_maturity',
        'volatility',
        'risk_free_rate',
        'dividend_yield',
        'option_type',
      ].map((field) => names[field]),
      head,
    )
  }
  for (const [label, risk] of [
    ['Default Y/N', 'PD (%)'],
    ['Dflt Ind', 'PD 12M'],
    ['DEFAULT_FLG', 'TTC PD'],
    ['Def Flag', 'Prob. of Default'],
    ['Bad Indicator', 'model_pd'],
  ]) {
    const { names } = read(
      PROBABILITIES,
      `Obligor,Rtg,${risk},Exposure,${label}\nA,BB,1.5%,100,Y\nB,CCC,2.5%,250,N\nC,BB,3%,50,N`,
    )
    assert.deepEqual([names.y_true, names.y_prob, names.weights], [label, risk, undefined])
  }
  const moves = read(RATINGS, 'Obligor,Prev Rtg,Curr Rtg\nA,AA,A\nB,A,BBB\nC,A,D')
  assert.deepEqual([moves.names.from, moves.names.to], ['Prev Rtg', 'Curr Rtg'])
})

test('columns whose headings say nothing are proposed by their cells, and those of impossible numbers are not', () => {
  const { guesses, names } = read(OPTIONS, 'a,b,Vol\nC,2090-01-17,11338\nP,2090-01-17,4021')
  assert.deepEqual(names, { option_type: 'a', time_to_maturity: 'b' })
  assert.deepEqual(guesses, ['Option type: a', 'Time to maturity: b'])
  assert.deepEqual(read(OPTIONS, 'a,b\nC,2020-01-17\nP,2020-01-17').guesses, ['Option type: a'], 'past dates')
  assert.deepEqual(read(OPTIONS, 'a,b\nC,C\nP,P').guesses, [], 'two columns of such words')
  assert.deepEqual(read(PROBABILITIES, 'a,pd\ngood,0.1\nbad,0.7').guesses, [
    'Probabilities of default: pd',
    'Labels (1 = default): a',
  ])
})

test('a column of other things names no field', () => {
  const { names } = read(OPTIONS, 'Open Interest,Days off,Stock of coal\n1,2,3\n4,5,6')
  assert.deepEqual(names, {})
})

test('units follow from headings, cells and dates, which count from today unless another day is chosen', () => {
  const quotes = 'Strike,Expiration,IV (%)\n90,2024-06-20,24.5\n95,2024-09-18,26\n'
  assert.equal(read(OPTIONS, quotes).mapping.day, today())
  assert.deepEqual(read(OPTIONS, quotes, { guesses: [], day: '' }).asks, [
    'Enter the day from which the dates count.',
  ])
  const { fields } = read(OPTIONS, quotes, { guesses: [], day: '2024-03-22' })
  assert.deepEqual(fields.time_to_maturity, new Float64Array([90 / 365, 180 / 365]))
  assert.deepEqual(fields.volatility, new Float64Array([0.245, 0.26]))
  const days = read(OPTIONS, 'strike,Laufzeit (Tage)\n90,73\n95,146\n', { guesses: [] })
  assert.deepEqual(days.fields.time_to_maturity, new Float64Array([0.2, 0.4]))
  const { table, mapping, guesses } = read(SHARES, 'species,count\noak,3\nash,1\n')
  assert.deepEqual(guesses, [], 'there is one column of numbers')
  const [counted, ...others] = questionsIn(requestOf(SHARES, table, mapping))
  assert.deepEqual(others, [])
  assert.deepEqual(
    [counted.text, ...counted.answers.map(({ label, effect }) => `${label}: ${effect}`)],
    [
      '“count” has the sum 4, not 1. How are the numbers meant?',
      'Divide by the sum: 3 is 0.75; the sum is 1',
    ],
  )
  assert.deepEqual(
    requestOf(SHARES, table, counted.answers[0].mapping!).fields?.probabilities,
    new Float64Array([0.75, 0.25]),
  )
})

test('a unit that scales is asked about, unless the cells prove it', () => {
  const unitsIn = (text: string) => read(OPTIONS, text).mapping.units
  assert.deepEqual(questions(OPTIONS, 'strike,risk_free_rate,time_to_maturity\n90,2.5,7\n95,2.25,14\n'), {
    'In which unit is risk_free_rate (Risk-free rate)?': [
      'Decimals: 2.5 is 250 %',
      'Per cent: 2.5 is 2.5 %',
      'Basis points: 2.5 is 0.025 %',
    ],
    'In which unit is time_to_maturity (Time to maturity)?': [
      'Years: 7 is 7 years',
      'Days: 7 is 0.01918 years',
      'Months: 7 is 0.5833 years',
    ],
  })
  const text = 'strike,volatility,T\n90,20,7\n95,25,14\n'
  const { fields, asks } = answered(OPTIONS, text, 'Per cent', 'Days')
  assert.deepEqual(asks, [])
  assert.deepEqual(fields.volatility, new Float64Array([0.2, 0.25]))
  assert.deepEqual(fields.time_to_maturity, new Float64Array([7 / 365, 14 / 365]))
  assert.deepEqual(unitsIn('strike,r,volatility,T\n90,0.05,1.2,1\n95,0.15,0.9,2\n'), {
    risk_free_rate: 'decimal',
    volatility: 'decimal',
    time_to_maturity: 'years',
  })
  // The heading names per cent, but the numbers may be decimals as well.
  assert.equal(unitsIn('strike;Zinssatz (%)\n90;0,05\n95;0,1\n').risk_free_rate, null)
  assert.equal(unitsIn('strike;Zinssatz (%)\n90;2,5\n95;3\n').risk_free_rate, 'percent')
  assert.equal(unitsIn('strike;Zinssatz (%)\n90;0,05 %\n95;0,1 %\n').risk_free_rate, 'decimal')
  assert.equal(unitsIn('strike,Rate (bp)\n90,250\n95,300\n').risk_free_rate, 'basis points')
  assert.equal(unitsIn('strike,DTE\n90,1\n95,2\n').time_to_maturity, null)
  assert.equal(unitsIn('strike,dividend_yield (%)\n90,0\n95,0\n').dividend_yield, 'decimal')
})

test('shares, percentages and counts are told apart by their sum, else they are asked about', () => {
  const unitIn = (cells: string[]) => read(SHARES, ['Share', ...cells].join('\n')).mapping.units.probabilities
  assert.equal(unitIn(['0.6', '0.4']), 'decimal')
  assert.equal(unitIn(['60%', '40%']), 'decimal')
  assert.equal(unitIn(['60', '40']), 'percent')
  assert.equal(unitIn(['6', '4']), null)
  assert.equal(unitIn(['60%', '39%']), null)
})

test('the rows of a matrix of counts are in the order of its columns, without sums and withdrawn ratings', () => {
  const square = [90, 9, 1, 5, 80, 15, 0, 0, 50]
  for (const text of [
    'from,A,B,D\nD,0,0,50\nB,5,80,15\nA,90,9,1\n',
    'from,A,B,D,NR,Total\nA,90,9,1,0,100\nB,5,80,15,0,100\nD,0,0,50,0,50\nTotal,95,89,66,0,250\n',
  ]) {
    const { asks, fields, shown } = read(RATINGS, text)
    assert.deepEqual(asks, [])
    assert.deepEqual([...matrixIn(fields, 'transitions').values], square)
    assert.deepEqual(shown.labels, ['A', 'B', 'D'])
  }
})

test('how withdrawn ratings of a matrix count is asked, and whether a rating without a row is left', () => {
  const text = 'from;A;B;D;WR\nA;87%;9%;1%;3%\nB;5%;70%;15%;10%\n'
  assert.deepEqual(questions(RATINGS, text), {
    'The matrix has no row for D. Is D ever left?': [
      'Never, as default: a row is added in which D stays D',
      'Leave it out: 2 ratings without D; each row is scaled to the sum 1',
    ],
    'How do the withdrawn ratings in WR count?': [
      'Left out: 3 % of A are spread over its other ratings in proportion',
      'As unchanged: 3 % of A are added to those who stay',
    ],
  })
  const matrixOf = (...labels: string[]) => {
    const { fields, shown } = answered(RATINGS, text, ...labels)
    return [matrixIn(fields, 'transitions').values.map((value) => Number(value.toFixed(9))), shown.labels]
  }
  assert.deepEqual(matrixOf('Never, as default', 'Left out'), [
    Float64Array.of(0.87, 0.09, 0.01, 0.05, 0.7, 0.15, 0, 0, 0),
    ['A', 'B', 'D'],
  ])
  assert.deepEqual(matrixOf('Never, as default', 'As unchanged'), [
    Float64Array.of(0.9, 0.09, 0.01, 0.05, 0.8, 0.15, 0, 0, 0),
    ['A', 'B', 'D'],
  ])
  assert.deepEqual(matrixOf('Leave it out', 'Left out'), [Float64Array.of(0.87, 0.09, 0.05, 0.7), ['A', 'B']])
})

test('a matrix without headings has the names of its rows, and its default behind them', () => {
  const { shown } = answered(RATINGS, 'A,90,9,1\nB,5,80,15\n', 'Never, as default')
  assert.deepEqual(shown.labels, ['A', 'B', 'D'])
})

test('a rating history is sent with the order of its scale, its dates, and those withdrawn', () => {
  const text =
    'issuer_id,rating_date,agency_rating\nX,2020-12-31,AA\nX,2021-12-31,D\nY,2020-12-31,WR\nY,2021-12-31,B\n'
  const { asks, fields } = read(HISTORY, text, { guesses: [] })
  assert.deepEqual(asks, [])
  assert.deepEqual(JSON.parse(bodyOf(HISTORY, fields, {})), {
    entities: ['X', 'X', 'Y', 'Y'],
    dates: ['2020-12-31', '2021-12-31', '2020-12-31', '2021-12-31'],
    ratings: ['AA', 'D', 'WR', 'B'],
    order: ['AA', 'B', 'D'],
    withdrawn: ['WR'],
  })
  const { mapping, table } = tableOf(HISTORY, text)
  assert.deepEqual(windowOf(table, mapping), { start: '2020-12-31', end: '2021-12-31' })
})

test('volatilities of 1 to 3 may be per cent, and columns in per cent are no prices or strikes', () => {
  assert.deepEqual(questions(OPTIONS, 'Spot,Strike,T,IV\n1.1,1.1,0.5,1.2\n1.1,1.2,0.5,2.9\n'), {
    'In which unit is IV (Volatility)?': ['Decimals: 1.2 is 120 %', 'Per cent: 1.2 is 1.2 %'],
  })
  assert.deepEqual(questions(OPTIONS, 'Spot,Strike,T,IV\n1.1,1.1,0.5,0.9\n1.1,1.2,0.5,2.9\n'), {})
  const { mapping } = tableOf(OPTIONS, 'Spot,Strike (%),T,IV\n6000,90,0.5,0.2\n6000,110,0.5,0.2\n')
  assert.equal(mapping.fields.strike, undefined)
})

test('prices below headings that say only calls and puts are confirmed first', () => {
  const quotes: TableSpec = { ...OPTIONS, fields: ['price', ...OPTIONS.fields!] }
  const { mapping } = tableOf(quotes, 'Strike,Calls,Puts\n95,1200,30\n100,900,50\n105,100,700\n')
  assert.deepEqual(
    mapping.guesses.map(({ text }) => text),
    ['Price: Option price'],
  )
})

test('single letters from A on are grades, of which D is not known to be default', () => {
  const historyOf = (grades: string) =>
    [
      'loan,date,grade',
      ...[...grades].flatMap((grade, i) => [`L${i},2020-01-01,${grade}`, `L${i},2021-01-01,A`]),
    ].join('\n')
  const [first, second] = Object.values(questions(HISTORY, historyOf('ABCDEFG')))[0]
  assert.equal(
    first,
    'A, none is default: best to worst: A, B, C, D, E, F, G; Default is added behind G; no default is counted',
  )
  assert.equal(
    second,
    'A, and G is default: best to worst: A, B, C, D, E, F, G; G is default: it is never left',
  )
  assert.equal(Object.keys(questions(HISTORY, historyOf('ABCD'))).length, 1)
  assert.deepEqual(questions(HISTORY, historyOf('ABD')), {})
  const withDefault = historyOf('ABCDE').replace(',E', ',Default')
  assert.deepEqual(answered(HISTORY, withDefault, 'A').fields.order, ['A', 'B', 'C', 'D', 'Default'])
})

test('ratings of several agencies for one entity are asked about, because no move leads from one to another', () => {
  const rows = (agencies: readonly string[]) =>
    [
      'issuer,agency,date,rating',
      ...agencies.map((agency, i) => `X,${agency},202${i}-01-01,${['AA', 'D', 'A', 'D'][i]}`),
    ].join('\n')
  assert.deepEqual(questions(HISTORY, rows(['S&P', 'Fitch', 'S&P', 'Fitch'])), {
    'The same entity may have a rating for each agency, and a history is that of one: which rows count?': [
      'S&P: 2 rows',
      'Fitch: 2 rows',
      'All rows: a rating of S&P followed by one of Fitch is a move',
    ],
  })
  assert.deepEqual(questions(HISTORY, rows(['S&P', 'S&P', 'S&P', 'S&P'])), {})
})

test('two ratings of one entity on one date are asked about', () => {
  const text =
    'issuer,date,rating\nX,2020-12-31,AA\nX,2020-12-31,D\nY,2020-12-31,B\nY,2020-12-31,B\nY,2021-12-31,D\n'
  assert.deepEqual(questions(HISTORY, text), {
    '1 row has another rating than the row before of the same entity and date: which one holds?': [
      'The last one in the table: 1 earlier rating not used',
    ],
  })
  assert.ok(answered(HISTORY, text, 'The last one in the table').fields)
})

test('a rating history without default or a known scale asks for both at once; years are times', () => {
  const text = 'obligor;year;grade\n1001;2019;1\n1001;2020;2\n1002;2019;3\n1002;2020;3\n'
  assert.deepEqual(questions(HISTORY, text), {
    'Which rating is the best one, and is the worst one default?': [
      '1, none is default: best to worst: 1, 2, 3; D is added behind 3; no default is counted',
      '1, and 3 is default: best to worst: 1, 2, 3; 3 is default: it is never left',
      '3, none is default: best to worst: 3, 2, 1; D is added behind 1; no default is counted',
      '3, and 1 is default: best to worst: 3, 2, 1; 1 is default: it is never left',
    ],
  })
  const { fields } = answered(HISTORY, text, '1, none is default')
  assert.deepEqual(JSON.parse(bodyOf(HISTORY, fields, {})), {
    entities: ['1001', '1001', '1002', '1002'],
    times: [2019, 2020, 2019, 2020],
    ratings: ['1', '2', '3', '3'],
    order: ['1', '2', '3', 'D'],
  })
  assert.deepEqual(answered(HISTORY, text, '3, and 1 is default').fields.order, ['3', '2', '1'])
  assert.match(
    Object.keys(questions(HISTORY, 'issuer,period,rating\nX,0,A\nX,18,B\nY,30,D\n')).join(),
    /In which unit is period/,
  )
})

test('which class is the default is asked, unless its word or its heading says so', () => {
  assert.deepEqual(read(SCORES, 'y_true,y_score\n1,0.3\n0,0.1\n').fields.y_true, new Float64Array([1, 0]))
  for (const [heading, bad, good] of [
    ['Default Y/N', 'Y', 'N'],
    ['Ausfall', 'ja', 'nein'],
    ['bad_flag', '1', '0'],
    ['class', 'D', 'ND'],
    ['status', 'charged off', 'fully paid'],
  ]) {
    const { table, mapping } = read(SCORES, `${heading},pd\n${bad},0.3\n${good},0.1\n`)
    const { meanings } = withField(SCORES, table, mapping, { field: 'y_true', column: 0 })
    assert.deepEqual(meanings.y_true, { [bad]: 1, [good]: 0 }, heading)
  }
  for (const heading of ['class', 'target', 'Kreditwürdigkeit', 'status'])
    assert.deepEqual(questions(SCORES, `${heading},pd\n1,0.3\n0,0.1\n0,0.2\n`), {
      [`Which value of ${heading} is a default?`]: [
        '“1”: 1 default in 3 rows, 33.3 %',
        '“0”: 2 defaults in 3 rows, 66.7 %',
      ],
    })
  const coded = answered(SCORES, 'class,pd\n1,0.3\n2,0.1\n1,0.2\n', '“2”')
  assert.deepEqual(coded.fields.y_true, new Float64Array([0, 1, 0]))
  const meant = read(SCORES, 'class,score\n1,0.3\n2,0.1\n3,0.2\n', {
    guesses: [],
    isTurned: false,
    meanings: { y_true: { 1: 0, 2: 1, 3: '–' } },
  })
  assert.deepEqual(
    [meant.fields.y_true, meant.fields.y_score],
    [new Float64Array([0, 1]), new Float64Array([0.3, 0.1])],
  )
  assert.deepEqual([...meant.shown.kept!], [0, 1])
})

test('which values of a score are risky is asked with the area under ROC of both answers', () => {
  const text = 'default,score\n1,500\n0,700\n1,650\n0,600\n'
  assert.deepEqual(questions(SCORES, text), {
    'Which values of score are risky?': [
      'High values: used as they are; area under ROC 0.25',
      'Low values: used with the opposite sign; area under ROC 0.75',
    ],
  })
  assert.deepEqual(
    answered(SCORES, text, 'Low values').fields.y_score,
    new Float64Array([-500, -700, -650, -600]),
  )
  for (const heading of ['pd', 'y_score', 'Probability of default'])
    assert.deepEqual(questions(SCORES, `default,${heading}\n1,0.5\n0,0.2\n`), {}, heading)
})

test('of several prices one is chosen, and buying or selling is no type of option', () => {
  const spec: TableSpec = { kind: 'rows', fields: ['price', 'strike'], choices: {} }
  assert.deepEqual(questions(spec, 'Strike,Bid,Ask,Mid\n90,27.4,28.2,27.8\n95,22,23,22.5\n'), {
    'Which column is Price?': [
      'Mid: 27.8 in row 1',
      'Ask: 28.2 in row 1',
      'Bid: 27.4 in row 1',
      'One value for all rows: ',
    ],
  })
  const chosen = answered(spec, 'Strike,Bid,Ask\n90,27.4,28.2\n95,22,23\n', 'Bid')
  assert.deepEqual(chosen.fields.price, new Float64Array([27.4, 22]))
  assert.deepEqual(
    read(OPTIONS, 'strike,Optionstyp\n90,Kauf\n95,Verkauf\n').asks[0],
    'Say what “Kauf” in Optionstyp means.',
  )
})

test('scores turned around have the area under ROC that was said', () => {
  const text = `y_true,y_score\n${Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? 1 : 0},${(i * 7) % 11}`).join('\n')}`
  const auc = (isTurned: boolean) => {
    const { y_score, y_true } = read(SCORES, text, { isTurned }).fields
    assert.ok(y_score instanceof Float64Array && y_true instanceof Float64Array)
    return models.mlCreditDiscrimination.preview({ y_score, y_true }).auc_roc
  }
  assert.ok(Math.abs(auc(true) - (1 - auc(false))) < 1e-15)
})

test('rows without a value are asked about before they are left out, and the others keep their names', () => {
  const text = 'Date,a,b\n2024-03-05,1,2\n2024-03-06,n/a,4\n2024-03-07,5,6\n'
  assert.deepEqual(read(MATRIX, text).asks, ['Row 2 has no value in a.'])
  const { fields, shown } = read(MATRIX, text, { leavesOut: true })
  assert.deepEqual(fields.X, { values: new Float64Array([1, 2, 5, 6]), rows: 2, columns: 2 })
  assert.deepEqual([shown.heading, shown.nameOf(1), shown.rowOf(1)], ['Date', '2024-03-07', 2])
  assert.deepEqual(read(MATRIX, text, { used: [2] }).asks, [])
})

test('an option without a quote is left out without a question, and one with a cell that is not read is not', () => {
  const quotes = (last: string) =>
    `strike,T,iv,type\n90,0.5,,call\n95,0.5,0.2,put\n${'99,0.5,0.2,put\n'.repeat(9)}100,0.5,${last},put\n`
  const { asks, shown } = read(OPTIONS, quotes('0.21'), { guesses: [] })
  assert.deepEqual([asks, shown.rows, shown.rowOf(0)], [[], 11, 1])
  assert.match(
    read(OPTIONS, quotes('0.2.1'), { guesses: [] }).asks[0],
    /row 12 has no value in iv, but “0.2.1”|^Row 12/,
  )
  assert.deepEqual(read(QUOTES, quotes('0.21'), { guesses: [] }).asks, ['Row 1 has no value in iv.'])
})

test('a cell that can be read in two ways is asked about, in a matrix and in the names of rows too', () => {
  assert.deepEqual(questions(MATRIX, 'when,a,b\n01/02/2024,1.234,5.678\n03/04/2024,5.678,9.123\n'), {
    'How is “01/02/2024” in when read?': ['2024-01-02: ', '2024-02-01: '],
    'How is “1.234” in a read, and likewise in 1 more column?': ['1.234: ', '1234: '],
  })
  const before = textEntry(MATRIX, 'a,b\n1.234,1\n5.678,2\n')
  const [{ answers }] = questionsIn(requestOf(MATRIX, before.table, before.mapping))
  const again = textEntry(MATRIX, before.text, { before, types: answers[1].types! })
  assert.deepEqual([...again.table!.columns[0].values], [1234, 5678])
  assert.deepEqual(requestOf(MATRIX, again.table, again.mapping).asks, [])
  assert.deepEqual(questions(MATRIX, 'when,a\n01/02/2024,1.5\n13/04/2024,2\n'), {})
})

test('a column without values names no rows', () => {
  assert.equal(read(MATRIX, 'a,b\n1,\n2,\n').mapping.names, -1)
})

test('numbers that count the rows below the heading of an id name them; other ids may be a measure and are asked about', () => {
  for (const [heading] of [['loan_id'], [''], ['Unnamed: 0']]) {
    const { mapping, asks } = read(MATRIX, `${heading},income\n17,5.5\n18,6.5\n`)
    assert.deepEqual([mapping.names, mapping.used, asks], [0, [1], []], heading)
  }
  assert.equal(read(MATRIX, '17,5.5\n18,6.5\n').mapping.names, -1)
  const text = 'customer,income\n17,5.5\n3,6.5\n'
  assert.deepEqual(questions(MATRIX, text), {
    'Does “customer” name the rows, or is it measured?': [
      'It names the rows: 1 column used, without it',
      'It is measured: 2 columns used, with it',
    ],
  })
  assert.deepEqual(
    [...matrixIn(answered(MATRIX, text, 'It is measured').fields, 'X').values],
    [17, 5.5, 3, 6.5],
  )
  assert.deepEqual([...matrixIn(answered(MATRIX, text, 'It names the rows').fields, 'X').values], [5.5, 6.5])
})

test('a number without a percent sign among others with one is asked about, wherever it is', () => {
  const shares = Array.from({ length: 300 }, (_, i) => `${90 + i},20%`)
  const text = ['strike,volatility', ...shares, '95,25', ''].join('\n')
  assert.deepEqual(questions(OPTIONS, text), { 'How is “25” in volatility read?': ['25: ', '0.25: '] })
  const before = textEntry(OPTIONS, text)
  const [{ answers }] = questionsIn(requestOf(OPTIONS, before.table, before.mapping))
  const { values } = textEntry(OPTIONS, text, { before, types: answers[1].types! }).table!.columns[1]
  assert.deepEqual([values[0], values.at(-1)], [0.2, 0.25])
  assert.deepEqual(questions(OPTIONS, 'strike,volatility\n90,20%\n95,0\n'), {})
})

test('another table of the same headings and length is asked about again, and an edited one is not', () => {
  const entry = (text: string, before: TableEntry | null = null) => textEntry(OPTIONS, text, { before })
  const changed = (one: TableEntry, changes: Partial<Mapping>): TableEntry => ({
    ...one,
    mapping: { ...one.mapping!, ...changes },
  })
  const asShares = changed(entry('spot,strike,volatility\n100,90,0.2\n100,95,0.3\n'), { guesses: [] })
  const text = 'spot,strike,volatility\n100,90,20\n100,95,30\n'
  const asPercent = entry(text, asShares)
  assert.deepEqual(asPercent.mapping?.units, { volatility: null })
  const answered = changed(asPercent, { units: { volatility: 'percent' } })
  const edited = entry(text.replace('30', '35'), answered)
  assert.deepEqual(edited.mapping?.units, { volatility: 'percent' })
})

test('a type that was chosen stays with the headings for which it was chosen', () => {
  const types = { 0: 'comma' } as const
  const entry = (text: string, before: TableEntry) => textEntry(MATRIX, text, { before, types })
  const first = textEntry(MATRIX, 'a,b\n"1,234",2\n"2,345",3\n')
  const chosen = entry('a,b\n"1,234",2\n"2,345",3\n', first)
  assert.deepEqual([...chosen.table!.columns[0].values], [1.234, 2.345])
  assert.equal(entry('a,b\n"1,234",2\n"2,345",4\n', chosen).table!.columns[0].type, 'comma')
  const other = entry('price,strike\n1.234,2\n2.345,3\n', chosen)
  assert.deepEqual([[...other.table!.columns[0].values], other.types], [[1.234, 2.345], {}])
})

test('a history of ratings is counted, in the order of a known scale; a matrix of counts is taken as it is', () => {
  const history = read(RATINGS, 'Obligor,From Rating,To Rating\nA,AA,AAA\nB,AA,AA\nC,B,D\nD,AA,NR\n', {
    guesses: [],
  })
  assert.deepEqual(history.shown.labels, ['AAA', 'AA', 'B', 'D'])
  assert.deepEqual(
    [...matrixIn(history.fields, 'transitions').values],
    [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
  )
  assert.deepEqual([history.shown.moves, history.shown.outside], [3, 1])
  const counts = read(RATINGS, 'from,1,2,D\n1,9,1,0\n2,1,7,2\nD,0,0,5\n')
  assert.deepEqual(counts.shown.labels, ['1', '2', 'D'])
  assert.equal(matrixIn(counts.fields, 'transitions').rows, 3)
  assert.match(
    read(RATINGS, '1,2,3,4\n4,5,6,7\n', { isHistory: false }).asks[0],
    /as many rows as columns; this one has 2 rows and 4 columns/,
  )
})

test('ratings of no known scale are ordered by the person; default stays last', () => {
  const text = 'from,to\n1,2\n2,3\n3,D\n2,1\n'
  assert.deepEqual(questions(RATINGS, text), {
    'Which rating is the best one?': ['1: best to worst: 1, 2, 3, D', '3: best to worst: 3, 2, 1, D'],
  })
  assert.deepEqual(answered(RATINGS, text, '3').shown.labels, ['3', '2', '1', 'D'])
})

const PROBABILITIES: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_prob', 'weights'],
  needed: ['y_true', 'y_prob'],
  choices: { y_true: [1, 0] },
  turns: 'y_prob',
}

test('an amount is no weight, and a column that may be one is asked about with what it changes', () => {
  const weighed = (heading: string, ...labels: string[]) =>
    answered(PROBABILITIES, `default,pd,${heading}\n0,0.1,2\n1,0.7,0.5\n`, ...labels)
  for (const heading of ['Exposure', 'EAD', 'Exposure (EUR)', 'age', 'w']) {
    const { asks, fields } = weighed(heading)
    assert.deepEqual([asks, fields.weights], [[], new Float64Array()], heading)
  }
  assert.deepEqual(questions(PROBABILITIES, 'default,pd,Gewicht\n0,0.1,2\n1,0.7,0.5\n'), {
    'Is “Gewicht” the weight of each row?': [
      'No: each row counts once: 2 rows',
      'Yes: each row counts as often as its weight: 2 rows count as 2.5',
    ],
  })
  assert.deepEqual(weighed('Gewicht', 'Yes').fields.weights, new Float64Array([2, 0.5]))
  assert.deepEqual(weighed('frequency', 'No').fields.weights, new Float64Array())
  assert.deepEqual(weighed('weights').fields.weights, new Float64Array([2, 0.5]), 'the name of the field')
})

test('points of a score are not taken for probabilities, and are refused where they are chosen', () => {
  const spec: TableSpec = {
    kind: 'columns',
    fields: ['y_true', 'y_prob'],
    choices: { y_true: [1, 0] },
  }
  const text = 'id,score,bad flag\nA,640,0\nB,710,1\n'
  const { asks, mapping, table } = read(spec, text)
  assert.deepEqual(asks, [
    'Choose the column of Probabilities of default.',
    'Confirm the meaning of the columns.',
  ])
  const chosen = withField(spec, table, mapping, { field: 'y_prob', column: 1 })
  const [asked] = questionsIn(requestOf(spec, table, chosen))
  assert.deepEqual(
    asked.answers.map(({ label, effect }) => `${label}: ${effect}`),
    ['Basis points: 640 is 6.4 %'],
  )
  const decimals: Mapping = { ...chosen, guesses: [], units: { y_prob: 'decimal' } }
  assert.deepEqual(read(spec, text, decimals).asks, [
    '“640” in score is no probability: choose another column or unit.',
  ])
})

test('two samples of a table may differ in length, and labels belong to the scores in their rows', () => {
  const text = 'build,live\n600,610\n620,605\n640,600\n,590\n'
  assert.deepEqual(questions(SAMPLES, text), {
    'Which scores are the expected ones?': [
      'build: the bins are made of it, and live is compared with it',
      'live: the bins are made of it, and build is compared with it',
    ],
  })
  const { fields } = answered(SAMPLES, text, 'build')
  assert.deepEqual(fields.expected, new Float64Array([600, 620, 640]))
  assert.deepEqual(fields.actual, new Float64Array([610, 605, 600, 590]))
  assert.deepEqual(fields.actual_y_true, new Float64Array())
  assert.deepEqual(answered(SAMPLES, text, 'live').fields.actual, new Float64Array([600, 620, 640]))
  const labelled = read(
    SAMPLES,
    'expected,expected_y_true,actual\n600,0,610\n620,1,605\n640,0,n/a\n650,1,590\n',
  )
  assert.deepEqual(labelled.asks, ['Row 3 has no value in actual.'])
  const weighted = answered(
    SAMPLES,
    'build,weight,live,sample weight\n600,2,610,1\n620,1,605,0.5\n640,1,600,3\n650,1,,\n',
    'build',
    'Yes',
    'Yes',
  )
  assert.deepEqual(weighted.fields.expected_weights, new Float64Array([2, 1, 1, 1]))
  assert.deepEqual(weighted.fields.actual_weights, new Float64Array([1, 0.5, 3]))
  const json = read(SAMPLES, '{"expected":[600,620],"actual":[1,2,3],"expected_y_true":[0,1],"n_bins":4}')
  assert.deepEqual(json.asks, [])
  assert.deepEqual(json.table.others, { n_bins: 4 })
  assert.deepEqual(json.fields.expected_y_true, new Float64Array([0, 1]))
  assert.deepEqual(json.fields.actual, new Float64Array([1, 2, 3]))
})

test('the headings of a table go with a forest that keeps them, also in Arrow; a table without headings has none', () => {
  const spec = { ...MATRIX, names: 'columns' }
  const { fields } = read(spec, 'height, weight\n1, 5\n2, 6')
  assert.deepEqual(JSON.parse(bodyOf(spec, fields, { n_trees: 5 })), {
    X: [
      [1, 5],
      [2, 6],
    ],
    columns: ['height', 'weight'],
    n_trees: 5,
  })
  const metadata = tableFromIPC(joined(arrowBody(fields, { n_trees: 5 })!.pieces)).schema.metadata
  assert.deepEqual(JSON.parse(metadata.get('quantd') ?? ''), { n_trees: 5, columns: ['height', 'weight'] })
  assert.deepEqual(Object.keys(read(spec, '1, 5\n2, 6').fields), ['X'])
  assert.deepEqual(Object.keys(read(MATRIX, 'height, weight\n1, 5\n2, 6').fields), ['X'])
})

test('the names of columns in the body of a request are the headings of its table', () => {
  const body = JSON.stringify({
    X: [
      [1, 5],
      [2, 6],
    ],
    columns: ['height', 'weight'],
    n_trees: 5,
  })
  const { table, fields } = read({ ...MATRIX, names: 'columns' }, body)
  assert.deepEqual(fields.columns, ['height', 'weight'])
  assert.deepEqual(table.others, { n_trees: 5 })
})
