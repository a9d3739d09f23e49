/** Files of other tools, houses and countries: what they are recognised as, what is asked, and what is sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { windowOf } from '../../../src/web/console/data/ratings.ts'
import { readFile, readTable } from '../../../src/web/console/data/read-table.ts'
import { recognise } from '../../../src/web/console/data/recognise.ts'
import type { Ask } from '../../../src/web/console/data/values.ts'
import { answered } from './answered.ts'

const MATRIX: TableSpec = { kind: 'matrix', field: 'X' }
const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }

/** Rows below headings; a function makes each from its number. */
const lines = (headings: string, rows: number, row: (i: number) => string) =>
  [headings, ...Array.from({ length: rows }, (_, i) => row(i))].join('\n')

const asks = (all: readonly Ask[]) => all.map(({ text }) => text)

const headingsUsed = (text: string) => {
  const table = readTable(text)
  return guessed(MATRIX, table).used.map((i) => table.columns[i].name)
}

test('numbers of days since 1900 and of seconds since 1970 are dates below the heading of such', () => {
  const first = (heading: string, cell: number, step = 1) => {
    const { head, columns } = readTable(lines(`${heading},x`, 6, (i) => `${cell + i * step},${i ** 3}`))
    const [{ type, values }] = columns
    return type === 'serial' ? new Date(values[0]).toISOString().slice(0, 16) : head[0][0]
  }
  assert.equal(first('Date', 45_500), '2024-07-27T00:00')
  assert.equal(first('Expiry', 46_000), '2025-12-09T00:00')
  assert.equal(first('timestamp', 1_764_201_600), '2025-11-27T00:00')
  assert.equal(first('local_timestamp', 1_764_201_600_123_456), '2025-11-27T00:00')
  assert.equal(first('expiration', 1_798_185_600_000), '2026-12-25T08:00')
  for (const heading of ['update_count', 'runtime', 'data', 'days', 'strike'])
    assert.equal(first(heading, 45_500), '45500', heading)
  assert.equal(first('date', 20_270_115), '20270115', 'a date in digits is one')
  const series = lines('timestamp,load,price', 9, (i) => `${1_764_201_600 + 3600 * i},${i ** 2},${i % 4}`)
  assert.deepEqual(headingsUsed(series), ['load', 'price'], 'a time is no measure')
})

test('expiries in eight digits are dates below each heading of expiries', () => {
  const chain = lines(
    'Strike,Expiry,Put/Call,MarkPrice',
    8,
    (i) => `${90 + i},20270115,${'CP'[i % 2]},4.${i}`,
  )
  assert.equal(readTable(chain).columns[1].type, 'day')
})

test('a first column that counts the rows is asked about, whatever its heading', () => {
  const rows = lines('Haushalt,Income,Age', 8, (i) => `${i + 1},${(i * 37) % 11},${20 + ((i * 5) % 7)}`)
  const { asks } = answered(MATRIX, rows)
  assert.deepEqual(
    asks.map(({ text }) => text),
    ['Does “Haushalt” name the rows, or is it measured?'],
  )
  const wealth = lines('Haushalt;Reinvermögen', 8, (i) => `${i + 1};${1000 + 13 * i}`)
  assert.equal(recognise(readTable(wealth))[0].what, 'amounts of wealth')
})

test('numbers with an exponent have no groups, and a letter behind a point is a missing value', () => {
  const pandas = readTable(lines(',x,y', 6, (i) => `${i},-3.21${i}e+04,1.00${i}e-04`))
  assert.deepEqual(
    pandas.columns.map(({ doubt }) => doubt),
    [null, null, null],
  )
  assert.equal(pandas.columns[1].values[1], -32_110)
  const { oddCount, gaps } = readTable(lines('roa,lev', 6, (i) => `0.1${i},${['.a', '.Z', '.'][i] ?? i}`))
    .columns[1]
  assert.deepEqual([oddCount, gaps], [0, 3])
})

test('quarters and months in a column are the dates of a history', () => {
  for (const [periods, ends] of [
    [
      ['FY20Q1', 'FY20Q2', 'FY20Q3'],
      ['2020-03-31', '2020-06-30', '2020-09-30'],
    ],
    [
      ['2020M03', '2020M06', '2020M12'],
      ['2020-03-31', '2020-06-30', '2020-12-31'],
    ],
    [
      ['Q1-20', 'Q2-20', 'Q1-21'],
      ['2020-03-31', '2020-06-30', '2021-03-31'],
    ],
    [
      ['Mär 2020', 'Jun-20', '12/2020'],
      ['2020-03-31', '2020-06-30', '2020-12-31'],
    ],
  ]) {
    const text = lines(
      'Kunde;Quartal;Rating',
      12,
      (i) => `K${i % 4};${periods[i % 3]};${['A', 'BB', 'D'][i % 3]}`,
    )
    assert.equal(recognise(readTable(text))[0]?.what, 'a rating history', periods[0])
    const { fields } = answered(HISTORY, text)
    assert.deepEqual(fields?.dates, { values: new Float64Array(12).map((_, i) => i % 3), words: ends })
  }
})

test('the last row that sums all others is a total without a word for it, and standard errors are no rows of a matrix', () => {
  const [north, east, south, west] = [582_413.25, 232_080, 408_800.5, 584_730]
  const pivot = (last: string) =>
    readTable(`Region,Umsatz\nNord,${north}\nOst,${east}\nSüd,${south}\nWest,${west}\n${last}\n`)
  assert.equal(pivot(`Gesamtergebnis,${north + east + south + west}`).rows, 4)
  assert.equal(pivot(`Konzern,${north + east + south + west}`).rows, 4)
  assert.equal(pivot('Konzern,1808024').rows, 5)
  assert.equal(readTable('Name,n\nA,1\nB,2\nC,3\nD,4\nE,10\n').rows, 5, 'by chance')
  const errors = readTable(
    'From/to,AAA,AA,D\nAAA,90,9,1\n,(1.2),(0.8),(0.1)\nAA,2,95,3\n,(0.3),(1.1),(0.2)\nD,0,0,100\n,(0.0),(0.0),(0.0)\n',
  )
  assert.deepEqual(
    errors.aside.map(({ kind, count }) => `${kind} ${count}`),
    ['note 3'],
  )
  assert.equal(recognise(errors)[0].what, 'a rating matrix')
})

test('the cells of a matrix in a list are no single moves, and numbers of issuers are no column of it', () => {
  const ratings = ['A', 'B', 'D']
  const list = lines(
    'from_rating,to_rating,probability',
    9,
    (i) => `${ratings[Math.floor(i / 3)]},${ratings[i % 3]},0.${1 + i}`,
  )
  const MOVES: TableSpec = { kind: 'transitions', field: 'transitions' }
  const asks = (text: string, ...labels: string[]) =>
    answered(MOVES, text, ...labels).asks.map(({ text }) => text)
  assert.deepEqual(asks(list), ['Is “probability” the weight of each row?'])
  const { fields } = answered(MOVES, list, 'Yes')
  assert.deepEqual(fields?.transitions, {
    rows: 3,
    columns: 3,
    values: Float64Array.from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
  })
  const cohorts = readTable('Rating;Issuers;A;B;D\nA;120;90%;9%;1%\nB;300;5%;85%;10%\nD;8;0%;0%;100%\n')
  assert.equal(recognise(cohorts)[0].what, 'a rating matrix')
  assert.deepEqual(
    guessed(MOVES, cohorts).used.map((i) => cohorts.columns[i].name),
    ratings,
  )
})

test('shares and counts of two samples in bins are no scores', () => {
  const SAMPLES: TableSpec = {
    kind: 'samples',
    fields: ['expected', 'actual'],
    needed: ['expected', 'actual'],
  }
  const asked = (text: string) => answered(SAMPLES, text).asks.map(({ text }) => text)[0]
  const shares = 'Band,Development %,Recent %\nlow,5.1%,7%\nmid,60%,61%\nhigh,35%,32%\n'
  assert.deepEqual(recognise(readTable(shares))[0].what, 'the shares of two samples in bins')
  assert.match(asked(shares), /^Development % and Recent % are the shares or counts of bins, not scores/)
  const counts = lines(
    'Score,Dev,Recent',
    6,
    (i) => `${300 + 50 * i}-${349 + 50 * i},${20 + i * i},${40 - i}`,
  )
  assert.match(asked(counts), /bins/)
  const scores = lines('id,train,test', 6, (i) => `${(i * 3) % 7}12-${i}45,${20 + i * i},${40 - i}`)
  assert.match(asked(scores), /^Which scores/)
})

test('amounts in thousands are offered times a thousand and as they are written', () => {
  const offered = (heading: string) =>
    recognise(readTable(`Household,${heading}\nA,176.5\nB,21\n`))[0].offers.map(({ gives, values }) => [
      /in (.*?), with/.exec(gives)?.[1],
      JSON.stringify(values).match(/"wealth":[\d.]+/)?.[0],
    ])
  assert.deepEqual(offered('Net worth (k€)'), [
    ['Net worth (k€) × 1,000', '"wealth":176500'],
    ['Net worth (k€) as it is written', '"wealth":176.5'],
  ])
  assert.equal(offered('Net worth (EUR million)')[0][1], '"wealth":176500000')
  assert.deepEqual(offered('Net worth (EUR)'), [['Net worth (EUR)', '"wealth":176.5']])
})

test('of several agencies and kinds of ratings, one is kept with its own scale, dates and order', () => {
  const rows = [
    "X,Moody's,2020-01-01,Baa1",
    'X,S&P,2020-06-30,BBB+',
    "X,Moody's,2021-01-01,C",
    'X,S&P,2021-06-30,D',
  ]
  const text = ['issuer,agency,date,rating', ...rows, 'Y,S&P,2020-06-30,A', "Y,Moody's,2021-01-01,A2"].join(
    '\n',
  )
  const asked = answered(HISTORY, text).asks
  assert.deepEqual(asks(asked), [
    'The same entity may have a rating for each agency, and a history is that of one: which rows count?',
  ])
  const { fields, shown } = answered(HISTORY, text, 'S&P')
  assert.deepEqual(fields?.order, ['A', 'BBB+', 'D'])
  assert.deepEqual(fields?.dates, { values: Float64Array.of(0, 1, 0), words: ['2020-06-30', '2021-06-30'] })
  assert.deepEqual(
    [0, 1, 2].map((i) => shown?.numberOf(i)),
    [2, 4, 5],
    'rows have their numbers in the file',
  )
  const table = readTable(text)
  const mapping = { ...guessed(HISTORY, table), only: [{ column: 1, word: 'S&P' }] }
  assert.deepEqual(windowOf(table, mapping), { start: '2020-06-30', end: '2021-06-30' })
  const kinds = text
    .replace('agency', 'Rating Type')
    .replaceAll("Moody's", 'Short-term')
    .replaceAll(/Baa1|A2/g, 'AA')
  assert.match(asks(answered(HISTORY, kinds).asks)[0], /a rating for each Rating Type/)
  const sectors = text
    .replace('agency', 'Sector')
    .replaceAll("Moody's", 'Banks')
    .replaceAll(/Baa1|A2/g, 'AA')
  assert.doesNotMatch(asks(answered(HISTORY, sectors).asks).join(), /for each/)
})

test('ratings of several agencies side by side are a history of one, and entities are told from sectors', () => {
  const wide = lines(
    "Borrower code;Sector;Day;S&P;Moody's;Outlook",
    24,
    (i) =>
      `B${i % 8};${['Banks', 'Energy'][i % 2]};20${10 + i}-12-31;${['AA', 'BBB+', 'D'][i % 3]};${['Aa2', 'Baa1', 'C'][i % 3]};Stable`,
  )
  const table = readTable(wide)
  assert.equal(recognise(table)[0].what, 'a rating history')
  assert.equal(guessed(HISTORY, table).fields.entities, 0)
  const { asks: open } = answered(HISTORY, wide)
  assert.deepEqual(asks(open), ['Which column is Ratings?'])
  assert.deepEqual(answered(HISTORY, wide, 'S&P').fields?.order, ['AA', 'BBB+', 'D'])
})

test('ratings with (high) and (low) are of a known scale', () => {
  const text = lines(
    'Issuer,Date,Rating',
    12,
    (i) => `I${i % 4},20${10 + i}-06-30,${['AA (high)', 'A (low)', 'BBB', 'D'][i % 4]}`,
  )
  assert.deepEqual(answered(HISTORY, text).fields?.order, ['AA (high)', 'A (low)', 'BBB', 'D'])
})

const OPTIONS: TableSpec = {
  kind: 'rows',
  fields: ['price', 'spot', 'strike', 'time_to_maturity', 'option_type', 'volatility'],
  choices: { option_type: ['call', 'put'] },
}
const PORTFOLIO: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_prob'],
  choices: { y_true: [1, 0] },
  turns: 'y_prob',
}
/** The heading of each field that has a column. */
const fieldsOf = (spec: TableSpec, text: string) => {
  const table = readTable(text)
  const { fields } = guessed(spec, table)
  return Object.fromEntries(Object.entries(fields).map(([field, i]) => [field, table.columns[i].name]))
}
const answersOf = (spec: TableSpec, text: string) =>
  Object.fromEntries(
    answered(spec, text).asks.map((ask) => [
      ask.text,
      'answers' in ask ? (ask.answers as readonly { label: string }[]).map(({ label }) => label) : [],
    ]),
  )

test('quotes of feeds are recognised by their own names, and those that are 0 everywhere are none', () => {
  const row = (i: number) => `${90 + i},${'CP'[i % 2]},2099-03-19,0,${i + 1},${i + 2}`
  const headings = [
    'STRIKE_PRC,PUTCALLIND,EXPIR_DATE,CF_CLOSE,CF_BID,CF_ASK',
    'Strike,PC,Expiry,close,bid_1545,ask_1545',
  ]
  for (const one of headings) {
    const [, , , , bid, ask] = one.split(',')
    assert.deepEqual(answersOf(OPTIONS, lines(one, 8, row)), {
      'Which column is Price?': ['Mid', ask, bid, 'One value for all rows'],
    })
  }
  const equal = lines(
    'strike,expiry,stock price close,underlying price',
    6,
    (i) => `${90 + i},2099-03-19,100.5,100.5`,
  )
  assert.equal(fieldsOf(OPTIONS, equal).spot, 'underlying price', 'it does not matter which one is taken')
})

test('calls and puts beside a strike K, and beside empty columns, are a row each', () => {
  const bare = readTable(lines('K,Call,Put', 5, (i) => `${90 + i},${9 - i},${1 + i}`))
  assert.equal(bare.made, 'a row for each call and put')
  assert.deepEqual(
    fieldsOf(
      OPTIONS,
      lines('K,Call,Put', 5, (i) => `${90 + i},${9 - i},${1 + i}`),
    ),
    {
      strike: 'K',
      option_type: 'Option type',
      price: 'Option price',
    },
  )
  const exchange = readTable(
    `CALLS,,,,PUTS,,\n${lines(',IV,LTP,STRIKE,LTP,IV,', 5, (i) => `,20.${i},${9 - i},"23,${500 + i}.00",${1 + i},21.${i},`)}`,
  )
  assert.deepEqual([exchange.made, exchange.rows], ['a row for each call and put', 10])
  assert.equal(readTable(lines('K,C,P', 5, (i) => `${i},${i},${i}`)).made, '', 'elements')
})

test('probabilities are recognised as models name them, and defaults in French and Portuguese', () => {
  const scored = (headings: string) =>
    fieldsOf(
      PORTFOLIO,
      lines(headings, 30, (i) => `${Number(i % 4 === 0)},0.${10 + i},0.${90 - i}`),
    )
  for (const [headings, label, probability] of [
    ['BAD,P_BAD1,P_BAD0', 'BAD', 'P_BAD1'],
    ['target,proba_1,proba_0', 'target', 'proba_1'],
    ['actual,p1,p0', 'actual', 'p1'],
    ['default,.pred_Yes,.pred_No', 'default', '.pred_Yes'],
    ['default.payment.next.month,.fitted,.resid', 'default.payment.next.month', '.fitted'],
  ])
    assert.deepEqual(scored(headings), { y_true: label, y_prob: probability }, headings)
  for (const [headings, yes, no] of [
    ['Défaut à 12 mois;PD', 'Oui', 'Non'],
    ['Inadimplente (S/N);Probabilidade de inadimplência', 'S', 'N'],
    ['Inadimplência;Probabilidade de default', 'Sim', 'Não'],
  ]) {
    const text = lines(headings, 30, (i) => `${i % 4 ? no : yes};${i + 1},5%`)
    assert.deepEqual(asks(answered(PORTFOLIO, text).asks), [], headings)
  }
  const wealth = lines('Família;Patrimônio líquido (R$)', 6, (i) => `F${i};R$ ${i + 1}.200,50`)
  assert.equal(recognise(readTable(wealth))[0].what, 'amounts of wealth')
})

const QUOTES: TableSpec = {
  kind: 'records',
  field: 'quotes',
  fields: ['K', 'T', 'option_type', 'implied_volatility', 'price'],
  needed: ['K', 'T'],
  choices: { option_type: ['call', 'put'] },
  either: ['implied_volatility', 'price'],
}

test('a grid of volatilities is a row for each, whichever way it lies', () => {
  const quotes = (text: string, ...labels: string[]) => {
    const { fields } = answered(QUOTES, text, ...labels)
    return (fields?.quotes as readonly Record<string, number>[] | undefined)?.slice(0, 2)
  }
  const byStrikes = 'Strike\t6M\t1Y\n90\t22.5%\t21%\n100\t20%\t19.5%\n110\t18.5%\t\n'
  assert.deepEqual(quotes(byStrikes), [
    { K: 90, T: 0.5, implied_volatility: 0.225 },
    { K: 90, T: 1, implied_volatility: 0.21 },
  ])
  assert.equal(readTable(byStrikes).rows, 5, 'an empty cell is no quote')
  assert.equal(recognise(readTable(byStrikes))[0].offers.at(-1)?.path, 'models/variance-gamma/calibrate')
  const byMaturities = 'Expiry,190,200,210\n6M,0.277,0.26,0.245\n1Y,0.25,0.24,0.235\n'
  assert.deepEqual(quotes(byMaturities), [
    { K: 190, T: 0.5, implied_volatility: 0.277 },
    { K: 200, T: 0.5, implied_volatility: 0.26 },
  ])
  const bySpot = readTable(
    'SPX Index;;Spot: 6010;;\nExp;80,0%;90,0%;100,0%;110,0%\n6M;28,7;24,7;22;20,3\n1Y;27,7;24;21;20,3\n',
  )
  assert.equal(bySpot.made, 'a row for each volatility of the grid, with strikes for a spot of 100')
  assert.deepEqual(bySpot.head[0], ['6M', '80,0', '100', '28,7'])
})

test('other grids are no volatilities', () => {
  for (const text of [
    'Date,1,2,5,10\n2026-11-26,2.1,2.2,2.4,2.7\n2026-11-27,2.1,2.2,2.4,2.7\n',
    'Maturity,2023,2024,2025\n1Y,2.1,2.2,2.4\n2Y,2.1,2.2,2.4\n',
    'Strike,3M,6M\n90,10.5,12\n100,4,6.1\n110,0.9,2.2\n',
    'Maturity,1Y,2Y,5Y\n1M,70,72,75\n3M,69,71,74\n',
    'Lag,5,10,20\n1,0.3,0.2,0.1\n2,0.2,0.2,0.1\n',
  ])
    assert.equal(readTable(text).made, '', text)
})

test('lists of records anywhere within JSON are one table if they have the same fields', () => {
  const quote = (putCall: string, strikePrice: number) => ({
    putCall,
    strikePrice,
    daysToExpiration: 49,
    mark: 5.25,
  })
  const chain = {
    status: 'SUCCESS',
    callExpDateMap: { '2027-01-15:49': { '90.0': [quote('CALL', 90)], '95.0': [quote('CALL', 95)] } },
    putExpDateMap: { '2027-01-15:49': { '90.0': [quote('PUT', 90)], '95.0': [quote('PUT', 95)] } },
  }
  const text = JSON.stringify(chain)
  assert.deepEqual(fieldsOf(OPTIONS, text), {
    strike: 'strikePrice',
    time_to_maturity: 'daysToExpiration',
    option_type: 'putCall',
    price: 'mark',
  })
  assert.deepEqual(asks(answered(OPTIONS, text).asks), [], 'the heading says that times are days')
  assert.equal(readTable(JSON.stringify({ options: { option: [{ a: 1 }, { a: 2 }] } })).rows, 2)
  assert.throws(
    () => readTable(JSON.stringify({ chain: { calls: [{ a: 1 }], trades: [{ b: 1 }] } })),
    /several tables with different fields/,
  )
  assert.throws(() => readTable('{"a":{"b":1}}'), /holds no array/)
})

test('rounded shares below their heading are shares of a whole', () => {
  const fund = lines(
    'Ticker,Market Value,Weight (%)',
    3,
    (i) => `T${i},${100 * (i + 1)},${[33.3, 33.3, 33.3][i]}`,
  )
  assert.equal(recognise(readTable(fund))[0].what, 'a table of numbers', 'all weights are equal')
  const other = fund.replace('33.3\nT1', '20.2\nT1').replace(',33.3\nT2', ',46.3\nT2')
  assert.equal(recognise(readTable(other))[0].what, 'shares of a whole')
})

const MATRIX_OF_RATINGS: TableSpec = { kind: 'transitions', field: 'transitions' }

test('a matrix whose columns alone have the sum 1 is asked about, and empty cells are 0 once that is confirmed', () => {
  const across = 'To/From,A,B,D\nA,0.9,0.1,0\nB,0.08,0.7,0\nD,0.02,0.2,1\n'
  const values = (...labels: string[]) => {
    const { transitions } = answered(MATRIX_OF_RATINGS, across, ...labels).fields ?? {}
    return [...(transitions as { values: Float64Array }).values]
  }
  assert.deepEqual(answersOf(MATRIX_OF_RATINGS, across), {
    'The columns of the matrix have the sum 1, and not the rows: are the moves from the ratings of the columns?':
      ['Yes', 'No'],
  })
  assert.deepEqual(values('Yes'), [0.9, 0.08, 0.02, 0.1, 0.7, 0.2, 0, 0, 1])
  assert.deepEqual(values('No'), [0.9, 0.1, 0, 0.08, 0.7, 0, 0.02, 0.2, 1])
  const whole = '(%),A,B,D,WR\nA,80,10,—,10\nB,8,70,20,2\nD,,0,100,\n'
  assert.deepEqual(asks(answered(MATRIX_OF_RATINGS, whole).asks), [
    'How do the withdrawn ratings in WR count?',
  ])
  const empty = 'Moves,A,B,D\nA,90,10,—\nB,8,71,22\nD,,0,100\n'
  assert.deepEqual(asks(answered(MATRIX_OF_RATINGS, empty).asks), [
    '2 cells of the matrix have no number: did nobody move there?',
  ])
  assert.deepEqual(answered(MATRIX_OF_RATINGS, empty, 'Yes, they are 0').fields?.transitions, {
    rows: 3,
    columns: 3,
    values: Float64Array.of(90, 10, 0, 8, 71, 22, 0, 0, 100),
  })
})

test('dates are no labels of defaults, quarters tell samples, and numbers of observations are asked about as weights', () => {
  const months = lines('month,score', 30, (i) => `${['2025-06', '2026-06'][i % 2]},${600 + ((i * 37) % 90)}`)
  assert.deepEqual(
    recognise(readTable(months)).map(({ what }) => what),
    ['a series of numbers'],
  )
  const vintages = lines(
    'id,vintage,score',
    30,
    (i) => `A${i},${['2024Q4', '2025Q4'][i % 2]},${600 + ((i * 37) % 90)}`,
  )
  assert.equal(recognise(readTable(vintages))[0].what, 'samples in the rows of one column')
  const weighted = { ...PORTFOLIO, fields: ['y_true', 'y_prob', 'weights'], needed: ['y_true', 'y_prob'] }
  const pooled = lines(
    'PD,default,n_obs',
    30,
    (i) => `0.0${1 + (i % 9)},${Number(i % 4 === 0)},${1 + ((i * 7) % 13)}`,
  )
  assert.deepEqual(asks(answered(weighted, pooled).asks), ['Is “n_obs” the weight of each row?'])
  const points = lines('pd;default', 30, (i) => `${10 + i} bps;${i % 4 ? 'No' : 'Yes'}`)
  const { y_prob } = answered(PORTFOLIO, points).fields ?? {}
  assert.equal((y_prob as Float64Array)[0], 0.001)
  const [amount] = readTable(lines('EAD,PD', 6, (i) => `${10 + i} BRL,5 %`)).columns
  assert.deepEqual([amount.type, amount.isPercent], ['number', false])
  assert.deepEqual(headingsUsed(lines('year,income', 6, (i) => `${2018 + i},${31 + ((i * 5) % 7)}`)), [
    'income',
  ])
})

test('marks of watches, outlooks and provisional ratings do not change a rating', () => {
  const history = (...ratings: string[]) =>
    lines('Issuer,Date,Rating', 12, (i) => `I${i % 4},20${10 + i}-06-30,${ratings[i % 4]}`)
  const bloomberg = history('BBB+ *-', 'BBB+', 'AAu', 'D')
  assert.equal(readTable(bloomberg).made, 'Rating without marks of watches and outlooks')
  assert.deepEqual(answered(HISTORY, bloomberg).fields?.order, ['AA', 'BBB+', 'D'])
  for (const [marked, bare] of [
    ['(P)Baa1', 'Baa1'],
    ['Aa2 (sf)', 'Aa2'],
    ['A-/Negative', 'A-'],
    ['BB Stable', 'BB'],
    ['AA (Watch Negative)', 'AA'],
  ])
    assert.deepEqual(
      readTable(history(marked, bare, bare.startsWith('B') ? 'C' : 'B', 'D')).columns[2].words?.[0],
      bare,
    )
  const own = history('A1 watch', 'A2', 'X9', 'D')
  assert.equal(readTable(own).columns[2].words?.[0], 'A1 watch', 'another scale stays as it is')
})

test('names of rows without a heading, as R writes them, are the first column', () => {
  const table = readTable(
    `"x" "y"\n${Array.from({ length: 6 }, (_, i) => `"${i + 1}" ${i * i} 0.${i}`).join('\n')}`,
  )
  assert.deepEqual(
    table.columns.map(({ name, values }) => [name, values[2]]),
    [
      ['Column 1', 3],
      ['x', 4],
      ['y', 0.2],
    ],
  )
  const tailed = readTable('x,y\n1,2,\n3,4,\n5,6,\n')
  assert.deepEqual(
    tailed.columns.map(({ name, values }) => [name, values[0]]),
    [
      ['x', 1],
      ['y', 2],
    ],
  )
})

test('calls and puts below repeated headings of groups are a chain, and a square of quotes is no matrix of ratings', () => {
  const quotes = lines(
    'strike,bid,ask,bid,ask',
    5,
    (i) => `${90 + i},${9.5 - i},${9.7 - i},${1.1 + i},${1.3 + i}`,
  )
  const table = readTable(`,call,call,put,put\n${quotes}`)
  assert.deepEqual([table.rows, table.columns[1].name], [10, 'Option type'])
  const square = lines('a,b,c,d,e', 5, (i) => `${90 + i},${9.5 - i},${9.7 - i},${1.1 + i},${1.3 + i}`)
  assert.deepEqual(
    recognise(readTable(square)).map(({ what }) => what),
    ['a table of numbers'],
  )
})

test('numbers below words are separated by spaces, grades of years are a history, and of two models one is asked', () => {
  const text = lines('y_true y_pred_proba', 30, (i) => `${i % 4 ? '0.0e+00' : '1.0e+00'} ${0.1 + i / 100}`)
  assert.deepEqual(fieldsOf(PORTFOLIO, text), { y_true: 'y_true', y_prob: 'y_pred_proba' })
  assert.equal(readTable('one more note\nand another one\n').columns.length, 1)
  const grades = readTable('obligor,rating_2022,rating_2023,rating_2024\n1,4,4,D\n2,3,2,2\n3,1,1,1\n')
  assert.deepEqual([grades.made, grades.rows], ['a row for each rating', 9])
  const scores = lines('id,score_2022,score_2023,score_2024', 9, (i) => `${i},${i % 5},${i % 4},${i % 3}`)
  assert.equal(readTable(scores).made, '', 'scores are no grades')
  const models = lines(
    'id,pd_model_a,pd_model_b,default',
    30,
    (i) => `${i},0.${10 + i},0.${11 + i},${Number(i % 4 === 0)}`,
  )
  assert.deepEqual(answersOf(PORTFOLIO, models), {
    'Which column is Probabilities of default?': ['pd_model_a', 'pd_model_b'],
  })
})

test('what cannot be read is refused with its own reason', async () => {
  const refused = (bytes: BlobPart) => readFile(new Blob([bytes]), {}).catch(({ message }: Error) => message)
  assert.equal(
    await refused(Uint8Array.of(0x1f, 0x8b, 8, 0)),
    'This file is compressed by gzip. Unpack it first.',
  )
  for (const page of ['<html><table>', ' <!DOCTYPE html>', '<?xml version="1.0"?><Workbook>'])
    assert.match(String(await refused(page)), /^This is a page of HTML or XML/)
  const feed = await readFile(new Blob(['<DATE>,<OPEN>,<CLOSE>\n20260105,1,2\n20260106,2,3\n']), {})
  assert.deepEqual([feed.rows, feed.columns[0].type], [2, 'day'])
  const byNumber = readTable('{"0":{"pd":0.1,"seg":"a"},"1":{"pd":0.2,"seg":"b"}}')
  assert.deepEqual(byNumber.head, [
    ['0.1', 'a'],
    ['0.2', 'b'],
  ])
})

test('default is the last rating of a matrix, wherever its column stands, and sums and withdrawn ratings are none', () => {
  const reversed = 'From/To,D,C,B,A\nA,1,1,8,90\nB,3,7,85,5\nC,15,75,10,0\nD,100,0,0,0\n'
  const sent = answered(MATRIX_OF_RATINGS, reversed)
  assert.deepEqual(sent.fields?.transitions, {
    rows: 4,
    columns: 4,
    values: Float64Array.of(90, 8, 1, 1, 5, 85, 7, 3, 0, 10, 75, 15, 0, 0, 0, 100),
  })
  assert.deepEqual(sent.shown?.labels, ['A', 'B', 'C', 'D'])
  const used = (text: string) => {
    const table = readTable(text)
    return guessed(MATRIX_OF_RATINGS, table).used.map((i) => table.columns[i].name)
  }
  assert.deepEqual(
    used('De/Vers;AAA;AA;D;Retiré\nAAA;90 %;5 %;1 %;4 %\nAA;1 %;88 %;7 %;4 %\nD;0 %;0 %;100 %;0 %\n'),
    ['AAA', 'AA', 'D'],
  )
  assert.deepEqual(used('Grade,1,2,Default,N\n1,95%,4%,1%,500\n2,3%,90%,7%,800\n'), ['1', '2', 'Default'])
})

test('of two dates of a history and of two horizons of default one is asked, and an index is no sample', () => {
  const history = lines(
    'Kreditnehmer;Rating;von;bis',
    12,
    (i) =>
      `K${i % 4};${['AA', 'B', 'D'][i % 3]};0${1 + (i % 9)}.01.20${10 + i};0${1 + (i % 9)}.01.20${11 + i}`,
  )
  assert.deepEqual(answersOf(HISTORY, history), { 'Which column is Dates?': ['von', 'bis'] })
  const warehouse = readTable(
    lines(
      'id|rating|eff_dt|exp_dt',
      12,
      (i) => `${900 + (i % 4)}|${['AA', 'B', 'D'][i % 3]}|20190${1 + (i % 9)}15|99991231`,
    ),
  )
  assert.deepEqual(
    warehouse.columns.slice(2).map(({ type }) => type),
    ['day', 'day'],
  )
  const horizons = lines(
    'pd,default_12m,default_24m',
    30,
    (i) => `0.${10 + i},${Number(i % 6 === 0)},${Number(i % 3 === 0)}`,
  )
  assert.deepEqual(Object.keys(answersOf(PORTFOLIO, horizons)), ['Which column is Labels (1 = default)?'])
  const uneven = lines(
    ',score_train,score_test',
    30,
    (i) => `${i},${600 + ((i * 7) % 30)},${i < 20 ? 590 + ((i * 11) % 30) : ''}`,
  )
  assert.equal(recognise(readTable(uneven))[0].what, 'two samples')
})
