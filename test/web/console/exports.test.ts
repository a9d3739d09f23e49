/** Files as other programs export them: what they are recognised as, the meaning of their columns, and what is asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { recognise } from '../../../src/web/console/data/recognise.ts'
import { type Fields, type Matrix, requestOf } from '../../../src/web/console/data/request.ts'
import { answered } from './answered.ts'

const labels = { y_true: [1, 0] }
const MOVES: TableSpec = { kind: 'transitions', field: 'transitions' }
const GREEKS: TableSpec = {
  kind: 'rows',
  fields: [
    'spot',
    'strike',
    'risk_free_rate',
    'time_to_maturity',
    'dividend_yield',
    'option_type',
    'volatility',
  ],
  choices: { option_type: ['call', 'put'] },
}
const SAMPLES: TableSpec = {
  kind: 'samples',
  fields: ['expected', 'actual', 'expected_y_true', 'actual_y_true', 'sample'],
  needed: ['expected', 'actual'],
  choices: { expected_y_true: [1, 0], actual_y_true: [1, 0], sample: ['expected', 'actual'] },
}
const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }
const SCORES: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_score'],
  choices: labels,
  turns: 'y_score',
}
const SHARES: TableSpec = { kind: 'columns', fields: ['probabilities'] }

/** Rows below headings; a function makes each from its number. */
const lines = (headings: string, rows: number, row: (i: number) => string) =>
  [headings, ...Array.from({ length: rows }, (_, i) => row(i))].join('\n')

interface Exported {
  readonly text: string
  readonly spec: TableSpec
  /** What the table looks like, and the path of the first operation that is offered. */
  readonly offer: readonly [what: string, path: string]
  /** The heading of each field, and what names the rows. */
  readonly roles: Readonly<Record<string, string>>
  /** The questions after the columns are confirmed. */
  readonly asks: readonly string[]
}

const grade = (i: number) => (i % 9 === 4 ? 'D' : 1 + ((2 * i) % 3))

const EXPORTS: Readonly<Record<string, Exported>> = {
  'a chain whose expiries and types are in the names of its contracts': {
    text: lines(
      ',contractSymbol,lastTradeDate,strike,lastPrice,volume,impliedVolatility,inTheMoney',
      12,
      (i) => `${i},XYZ270319${'CP'[i % 2]}00${100 + i}500,2026-11-2${i % 7},${100.5 + i},4,,0.2${i},True`,
    ),
    spec: GREEKS,
    offer: ['an option chain', 'pricing/bs/implied-volatility/columns'],
    roles: {
      strike: 'strike',
      volatility: 'impliedVolatility',
      time_to_maturity: 'Expiry',
      option_type: 'Option type',
      names: 'contractSymbol',
    },
    asks: [],
  },
  'calls beside puts, with the strike between them': {
    text: lines(
      '"XYZ INDEX","Last: 6010.5"\nExpiration Date,Calls,Last Sale,IV,Strike,Puts,Last Sale,IV',
      8,
      (i) => `Fri Jan 15 2100,XC${i},${9 - i},0.2${i},${95 + i},XP${i},${1 + i},0.2${i}`,
    ),
    spec: GREEKS,
    offer: ['an option chain', 'pricing/bs/implied-volatility/columns'],
    roles: {
      strike: 'Strike',
      volatility: 'IV',
      time_to_maturity: 'Expiration Date',
      option_type: 'Option type',
      names: 'Contract',
    },
    asks: [],
  },
  'a loan tape with a title and groups of headings': {
    text: lines(
      'Loan tape;;;\nFacility;;Risk;\nID;EAD (EUR);PD (%);Defaulted in 12m',
      40,
      (i) => `F${i};${1000 + i};1,${10 + i};${i % 9 ? 'No' : 'Yes'}`,
    ),
    spec: SCORES,
    offer: ['a portfolio with default probabilities and defaults', 'ml/credit/validation'],
    roles: { y_true: 'Defaulted in 12m', y_score: 'PD (%)', names: 'ID' },
    asks: [],
  },
  'ratings of issuers with a column for each year': {
    text: lines(
      'Issuer;Country;2021;2022;2023',
      12,
      (i) => `I${i};US;Aa${1 + (i % 3)};Baa1;${i % 5 ? 'Ba2' : 'WR'}`,
    ),
    spec: HISTORY,
    offer: ['a rating history', 'ml/credit/rating-history'],
    roles: { entities: 'Issuer', dates: 'Date', ratings: 'Rating' },
    asks: ['No rating is named default. Is it “Ba2”?'],
  },
  'quotes of a database that keeps strikes in thousandths, with their day': {
    text: lines(
      'secid,date,exdate,cp_flag,strike_price,impl_volatility,forward_price',
      12,
      (i) => `1081,2023-08-${29 + (i % 2)},2023-10-20,${'CP'[i % 2]},${4200000 + 5000 * i},0.2${i},4565.25`,
    ),
    spec: { ...GREEKS, fields: [...(GREEKS.fields ?? []), 'forward'] },
    offer: ['an option chain', 'pricing/forward/greeks/columns'],
    roles: {
      strike: 'strike_price',
      volatility: 'impl_volatility',
      time_to_maturity: 'exdate',
      option_type: 'cp_flag',
      forward: 'forward_price',
      names: 'secid',
    },
    asks: ['From which day do the times to maturity count?', 'In which unit is strike_price (Strike price)?'],
  },
  'scores of two samples in one column': {
    text: lines(
      'customer_id,dataset,score',
      30,
      (i) => `${9 * i},${i % 3 ? 'train' : 'test'},${600 - 7 * i}`,
    ),
    spec: SAMPLES,
    offer: ['samples in the rows of one column', 'ml/credit/stability'],
    roles: { sample: 'dataset', expected: 'score', names: 'customer_id' },
    asks: ['Which rows of dataset are the expected ones?'],
  },
  'moves grouped by a database': {
    text: 'from_rating,to_rating,n\nA,A,80\nA,D,2\nB,A,9\nB,B,60\nB,D,6\n',
    spec: MOVES,
    offer: ['a list of rating moves', 'ml/credit/migration'],
    roles: { from: 'from_rating', to: 'to_rating' },
    asks: ['Is “n” the weight of each row?'],
  },
  'grades of two quarters, of which one has defaults': {
    text: lines('CUST\tGRADE_Q4_2023\tGRADE_Q4_2024', 40, (i) => `${i}\t${1 + (i % 3)}\t${grade(i)}`),
    spec: MOVES,
    offer: ['a list of rating moves', 'ml/credit/migration'],
    roles: { from: 'GRADE_Q4_2023', to: 'GRADE_Q4_2024' },
    asks: ['Which rating is the best one?'],
  },
  'counts of numbered grades with totals': {
    text: 'Migration 2024,,,,\nFrom \\ To,1,2,Default,Total\n1,40,5,1,46\n2,4,60,3,67\nTotal,44,65,4,113\n',
    spec: MOVES,
    offer: ['a rating matrix', 'ml/credit/migration'],
    roles: { names: 'From \\ To', used: '1, 2, Default' },
    asks: ['The matrix has no row for Default. Is Default ever left?'],
  },
  'a monthly panel of internal grades': {
    text: lines(
      'BORROWER_ID,REPORT_MONTH,INT_GRADE',
      36,
      (i) => `${8800 + Math.floor(i / 12)},2024-${String(1 + (i % 12)).padStart(2, '0')},${1 + (i % 3)}`,
    ),
    spec: HISTORY,
    offer: ['a rating history', 'ml/credit/rating-history'],
    roles: { entities: 'BORROWER_ID', dates: 'REPORT_MONTH', ratings: 'INT_GRADE' },
    asks: ['Which rating is the best one, and is the worst one default?'],
  },
  'ratings of two agencies in one column': {
    text: lines(
      'Issuer;Agency;Rating Date;Rating',
      24,
      (i) =>
        `I${i % 6};${i % 2 ? 'S&P' : "Moody's"};20${10 + Math.floor(i / 6)}-06-30;${i % 2 ? 'BBB+' : 'Baa1'}`,
    ),
    spec: HISTORY,
    offer: ['a rating history', 'ml/credit/rating-history'],
    roles: { entities: 'Issuer', dates: 'Rating Date', ratings: 'Rating' },
    asks: [
      'The same entity may have a rating for each Agency, and a history is that of one: which rows count?',
    ],
  },
  'loans of a marketplace': {
    text: lines(
      'Notes offered by Prospectus\nid,loan_amnt,fico_range_low,loan_status',
      40,
      (i) =>
        `${1000 + 7 * i},${500 + 90 * i},${600 + 5 * i},${['Fully Paid', 'Charged Off', 'Current'][i % 3]}`,
    ),
    spec: SCORES,
    offer: ['a portfolio with scores and defaults', 'ml/credit/discrimination'],
    roles: { y_true: 'loan_status', names: 'id' },
    asks: ['Which column is Scores?', 'Say what “Current” in loan_status means.'],
  },
  'predictions of a classifier': {
    text: lines(',y_test,y_proba', 40, (i) => `${(7 * i) % 40},${i % 3 ? 0 : 1},${(i + 0.5) / 40}`),
    spec: SCORES,
    offer: ['a portfolio with default probabilities and defaults', 'ml/credit/validation'],
    roles: { y_true: 'y_test', y_score: 'y_proba', names: 'Column 1' },
    asks: ['Which values of y_proba are risky?'],
  },
  'counts of species': {
    text: 'species,count\nOak,34\nBeech,21\nYew,1\n',
    spec: SHARES,
    offer: ['a series of numbers', 'ml/preprocessing/outliers'],
    roles: { probabilities: 'count', names: 'species' },
    asks: ['“count” has the sum 56, not 1. How are the numbers meant?'],
  },
  'amounts beside their shares': {
    text: 'Currency;Amount (EUR m);Share of total\nEUR;412,5;55,0 %\nUSD;187,5;25,0 %\nGBP;150,0;20,0 %\nTotal;750,0;100,0 %\n',
    spec: SHARES,
    offer: ['shares of a whole', 'physics/entropy/shannon'],
    roles: { probabilities: 'Share of total', names: 'Currency' },
    asks: [],
  },
}

for (const [name, { text, spec, offer, roles, asks }] of Object.entries(EXPORTS))
  test(`recognised: ${name}`, () => {
    const table = readTable(text)
    const [{ what, offers }] = recognise(table)
    const mapping = guessed(spec, table)
    const heading = (i: number) => table.columns[i].name
    const found = {
      ...Object.fromEntries(Object.entries(mapping.fields).map(([field, i]) => [field, heading(i)])),
      ...(mapping.names !== -1 && { names: heading(mapping.names) }),
      ...(spec === MOVES && !mapping.isHistory && { used: mapping.used.map(heading).join(', ') }),
    }
    const request = requestOf(spec, table, { ...mapping, guesses: [] })
    assert.deepEqual(
      { offer: [what, offers[0].path], roles: found, asks: request.asks.map((ask) => ask.text) },
      { offer, roles, asks },
    )
  })

test('the question about strikes in thousandths tells how far they are from the underlying', () => {
  const { text, spec } = EXPORTS['quotes of a database that keeps strikes in thousandths, with their day']
  const table = readTable(text)
  const [, question] = requestOf(spec, table, { ...guessed(spec, table), guesses: [] }).asks
  assert.ok('answers' in question)
  assert.deepEqual(
    question.answers.map(({ effect }) => effect),
    ['4,200,000 is 4,200,000, 920 × forward_price', '4,200,000 is 4,200, 0.92 × forward_price'],
  )
})

/** The fields that are sent after these answers. */
function sent(spec: TableSpec, text: string, ...labels: string[]): Fields {
  const { fields, asks } = answered(spec, text, ...labels)
  assert.ok(fields, asks.map((ask) => ask.text).join('\n'))
  return fields
}

test('strikes are divided where the person says so, and each option counts from the day of its row', () => {
  const { text, spec } = EXPORTS['quotes of a database that keeps strikes in thousandths, with their day']
  const { strike, time_to_maturity } = sent(spec, text, 'Divide by 1,000', 'date')
  assert.deepEqual([...(strike as Float64Array)].slice(0, 2), [4200, 4205])
  assert.deepEqual([...(time_to_maturity as Float64Array)].slice(0, 2), [52 / 365, 51 / 365])
  const near = 'spot,strike,T\n5600,5500,1\n5600,6000,1\n'
  assert.deepEqual(sent(spec, near).strike, Float64Array.of(5500, 6000))
})

test('options that are quoted before today and expire after it count from the day that is chosen', () => {
  const text =
    'quote date,expiry,strike,spot,iv\n2024-03-01,2100-01-01,90,100,0.2\n2024-03-02,2100-01-01,95,100,0.2\n'
  const { time_to_maturity } = sent(GREEKS, text, 'quote date')
  const days = (Date.UTC(2100, 0, 1) - Date.UTC(2024, 2, 1)) / 86_400_000
  assert.deepEqual(time_to_maturity, new Float64Array([days / 365, (days - 1) / 365]))
})

test('each sample has the scores and labels of its rows', () => {
  const text = 'set,score,y\ndev,1,0\noot,2,1\ndev,3,1\noot,4,0\ndev,5,0\n'
  const { expected, actual, expected_y_true, actual_y_true } = sent(SAMPLES, text, 'dev', '“1”')
  assert.deepEqual([expected, actual], [Float64Array.of(1, 3, 5), Float64Array.of(2, 4)])
  assert.deepEqual([expected_y_true, actual_y_true], [Float64Array.of(0, 1, 0), Float64Array.of(1, 0)])
  assert.deepEqual(sent(SAMPLES, text, 'oot', '“1”').expected, Float64Array.of(2, 4))
})

test('each row of grouped moves counts as often as its number says', () => {
  const { transitions } = sent(MOVES, EXPORTS['moves grouped by a database'].text, 'Yes')
  assert.deepEqual([...(transitions as Matrix).values], [80, 0, 2, 9, 60, 6, 0, 0, 0])
})

test('a grade of default among numbers is counted', () => {
  const { text } = EXPORTS['grades of two quarters, of which one has defaults']
  const { values, rows } = sent(MOVES, text, '1').transitions as Matrix
  assert.equal(rows, 4)
  const defaults = text.split('\n').filter((line) => line.endsWith('D')).length
  assert.equal(values[3] + values[7] + values[11], defaults)
})

/** The headings of the columns of the file, and the cells of the first rows. */
const shown = (text: string) => {
  const { columns, head } = readTable(text)
  const ofFile = columns.filter(({ name }) => name !== 'Mid')
  return [ofFile.map(({ name }) => name), ...head.map((cells) => cells.slice(0, ofFile.length))]
}

test('calls and puts of one row are two rows, also below two rows of headings and in mirrored order', () => {
  const chain =
    'Calls,,,Strike,Puts,,\nIV,Bid,Ask,Strike,Bid,Ask,IV\n0.2,1,2,95,3,4,0.3\n0.21,5,6,100,7,8,0.31\n'
  assert.deepEqual(shown(chain), [
    ['Strike', 'Option type', 'IV', 'Bid', 'Ask'],
    ['95', 'Call', '0.2', '1', '2'],
    ['95', 'Put', '0.3', '3', '4'],
    ['100', 'Call', '0.21', '5', '6'],
    ['100', 'Put', '0.31', '7', '8'],
  ])
  const prefixed = '[C_BID],[C_IV],[STRIKE],[P_BID],[P_IV]\n1,0.2,95,2,0.3\n3,0.21,100,4,0.31\n'
  assert.deepEqual(shown(prefixed).slice(0, 3), [
    ['[STRIKE]', 'Option type', 'bid', 'iv'],
    ['95', 'Call', '1', '0.2'],
    ['95', 'Put', '2', '0.3'],
  ])
  for (const headings of ['Strike,Call Mid,Put Mid', 'Strike,Call,Put'])
    assert.deepEqual(
      shown(`${headings}\n95,7,2\n100,4,5\n`)
        .slice(1, 3)
        .map((cells) => cells.slice(0, 2).join()),
      ['95,Call', '95,Put'],
    )
  for (const headings of ['Strike,Call volume,Put volume', 'Strike,Bid,Bid'])
    assert.equal(readTable(`${headings}\n95,7,2\n100,4,5\n`).rows, 2, headings)
  const twice = 'Strike,Bid,Ask,Bid,Ask\n95,1,2,3,4\n100,5,6,7,8\n'
  assert.equal(readTable(twice).rows, 2, 'nothing says that these are calls and puts')
})

test('names of contracts have what their table lacks', () => {
  const tickers = 'Ticker,Last,IVM\nXYZ 1/15/27 C160,5,20\nXYZ 1/15/27 P162.5 Equity,6,21\n'
  assert.deepEqual(shown(tickers), [
    ['Ticker', 'Last', 'IVM', 'Expiry', 'Option type', 'Strike'],
    ['XYZ 1/15/27 C160', '5', '20', '1/15/27', 'C', '160'],
    ['XYZ 1/15/27 P162.5 Equity', '6', '21', '1/15/27', 'P', '162.5'],
  ])
})

test('ratings of numbered years only are one column, and half-years of the same year are not', () => {
  const wide = 'Issuer,2021,2022,2023\nA,AA,,D\nB,BB+,BB,WR\n'
  assert.deepEqual(shown(wide), [
    ['Issuer', 'Date', 'Rating'],
    ['A', '2021', 'AA'],
    ['A', '2023', 'D'],
    ['B', '2021', 'BB+'],
    ['B', '2022', 'BB'],
    ['B', '2023', 'WR'],
  ])
  const halves = 'Issuer,Jun 2021,Dec 2021,Jun 2022\nA,AA,A,B\nB,BB+,BB,WR\n'
  assert.deepEqual(shown(halves)[1], ['A', '2021-06-30', 'AA'])
  assert.deepEqual(shown(halves)[2], ['A', '2021-12-31', 'A'])
})

const WIDE = ['Call', 'Put'].flatMap((side) =>
  Array.from({ length: 300 }, (_, i) => `${side} ${i === 0 ? 'IV' : i}`),
)

/** Tables of which it is not certain that they are wide ones. */
const AS_THEY_ARE: Readonly<Record<string, string>> = {
  'ratings of years beside probabilities and defaults': lines(
    'Obligor,PD,Default,2021,2022,2023',
    30,
    (i) => `O${i},0.${10 + i},${i % 7 ? 'No' : 'Yes'},A,BB,${i % 4 ? 'BB' : ''}`,
  ),
  'ratings of years beside an amount':
    'Issuer,Revenue,2021,2022,2023\nA,10,AA,A,D\nB,20,BB,BB,BB-\nC,900,AAA,,\n',
  'ratings of years beside moves':
    'Issuer,From,To,2021,2022,2023\nA,AA,A,AA,A,D\nB,BB,B,BB,BB,BB-\nC,AAA,AA,AAA,AA,\n',
  'ratings of waves without a date':
    'Issuer,Rating wave 1,Rating wave 2,Rating wave 3\nA,AA,A,D\nB,BB,BB,BB-\nC,AAA,AA,AA\n',
  'ratings of years beside the defaults of another':
    'Issuer,2020,2021,2022,2023\nA,AA,A,B,Yes\nB,BB,BB,BB-,No\nC,AAA,AA,AA,No\n',
  'contracts with repeated headings below a title of calls and puts':
    'XYZ calls and puts\nContract,Strike,Bid,Size,Exch,Ask,Size,Exch,Spot\nXC1,90,10,5,1,11,7,2,100\nXP1,95,2,5,1,3,7,2,100\n',
  'carbon and phosphorus beside potassium':
    'site,C_top,C_sub,P_top,P_sub,K\na,1.2,0.8,33,12,110\nb,1.4,0.7,35,11,120\n',
  'calls with a volatility beside puts without':
    'Strike,Call Bid,Call Ask,Call IV,Put Bid,Put Ask\n90,10,11,0.2,1,1.2\n95,6,7,0.21,2,2.2\n',
  'more columns than a chain has': [
    ['Strike', ...WIDE],
    [90, ...WIDE.keys()],
    [95, ...WIDE.keys()],
  ]
    .map((cells) => cells.join())
    .join('\n'),
  'ids of loans that look like contracts': lines(
    'loan_no,score,income',
    5,
    (i) => `APP24031${i}C0001234${i},${600 + i},${1000 + i * i}`,
  ),
  'ids of loans with a country and year, beside a price': lines(
    'loan_no,score,price',
    5,
    (i) => `DE202424030${1 + i}P0001234${i},${600 + i},${1000 + i * i}`,
  ),
}

for (const [name, text] of Object.entries(AS_THEY_ARE))
  test(`as it is in the file: ${name}`, () => {
    const { columns, rows, made, above } = readTable(text)
    const ofFile = columns.filter(({ madeOf }) => madeOf === undefined)
    const [headings, ...below] = text.trim().split('\n').slice(above.length)
    assert.deepEqual(
      { names: ofFile.map((column) => column.name.replace(' (2)', '')), rows, made },
      {
        names: headings.split(','),
        rows: below.length,
        made: ofFile.length < columns.length ? 'Mid from Bid and Ask' : '',
      },
    )
  })

test('puts on the left of calls are puts, whatever the title says', () => {
  const chain =
    'XYZ: calls and puts\nPuts,,,,Calls,,\nBid,Ask,IV,Strike,Bid,Ask,IV\n1,2,0.3,90,9,8,0.31\n5,6,0.29,95,4,3,0.3\n'
  assert.deepEqual(shown(chain).slice(0, 3), [
    ['Strike', 'Option type', 'Bid', 'Ask', 'IV'],
    ['90', 'Call', '9', '8', '0.31'],
    ['90', 'Put', '1', '2', '0.3'],
  ])
})

test('a strike in the name of a contract is a number with a decimal point, also in a file with decimal commas', () => {
  const { columns, made } = readTable(
    'Contract;Last;IV\nXYZ270115C00033333;1,5;0,2\nXYZ270115P00030000;2,5;0,21\n',
  )
  assert.deepEqual(columns.at(-1)?.values, Float64Array.of(33.333, 30))
  assert.equal(made, 'Expiry, Option type, Strike from Contract')
})

test('strikes in names of contracts have the unit that the format defines', () => {
  const chain = lines('contractSymbol,iv', 6, (i) => `SPX271217${'CP'[i % 2]}0${5000 + 500 * i}000,0.2`)
  const table = readTable(chain)
  assert.deepEqual([...(table.columns.at(-1)?.values ?? [])], [5000, 5500, 6000, 6500, 7000, 7500])
  const { asks } = requestOf(GREEKS, table, { ...guessed(GREEKS, table), guesses: [] })
  assert.deepEqual(
    asks.map(({ text }) => text),
    [],
  )
  const inThousandths = 'strike,iv\n5000000,0.2\n5500000,0.2\n'
  assert.match(
    JSON.stringify(
      requestOf(GREEKS, readTable(inThousandths), guessed(GREEKS, readTable(inThousandths))).asks,
    ),
    /In which unit is strike/,
  )
})

test('the order of day and month in names of contracts is asked, unless one of them proves it', () => {
  const expiry = (...days: string[]) =>
    readTable(lines('Ticker,Bid', days.length, (i) => `ODAX ${days[i]} C240,5`)).columns[2]
  assert.deepEqual(expiry('04/12/27', '05/12/27').doubt?.readings, ['2027-04-12', '2027-12-04'])
  const proven = expiry('04/12/27', '18/12/27')
  assert.deepEqual([proven.type, proven.doubt, proven.values[0]], ['day', null, Date.UTC(2027, 11, 4)])
})

test('rows of a long table have the numbers of the file, and those set aside its cells', () => {
  const { rows, numbers, aside } = readTable(
    'Strike,Call Bid,Call IV,Put Bid,Put IV\nCalls are American,,,,\n90,10,0.2,1,0.2\nNote: x,,,,\n95,6,0.21,2,0.3\n',
  )
  assert.deepEqual([rows, numbers], [4, Uint32Array.of(2, 2, 4, 4)])
  assert.deepEqual(
    aside.flatMap((group) => group.rows.map(({ cells }) => cells.join())),
    ['Calls are American,,,,', 'Note: x,,,,'],
  )
})

test('a row that is taken back beside names of contracts is one more row of the same columns', () => {
  const text = 'Contract,IV,Spot\nXYZ270115C00090000,0.2,100\nXYZ270115P00095000,0.21,100\nTotal,,200\n'
  const taken = readTable(text, { taken: ['total'] })
  assert.deepEqual(
    [taken.rows, taken.columns.at(-1)?.name, taken.head[2].join()],
    [3, 'Strike', 'Total,,200,,,'],
  )
})

test('an observation is no heading, and a heading over two rows of headings is that of its column', () => {
  const gaps = readTable('name,,city,,score\nAnn,x,Rome,m,\nBob,y,Oslo,k,3\nEva,z,Bonn,l,4\n')
  assert.deepEqual([gaps.rows, gaps.columns[4].name], [3, 'score'])
  const chains = [
    'Calls,,,Strike,Puts,,\nBid,Ask,IV,,Bid,Ask,IV\n0.2,1,0.2,95,3,4,0.3\n5,6,0.22,100,7,8,0.31\n',
    'Strike,Calls,,,Puts,,\n,Bid,Ask,IV,Bid,Ask,IV\n95,0.2,1,0.2,3,4,0.3\n100,5,6,0.22,7,8,0.31\n',
  ]
  for (const chain of chains)
    assert.deepEqual(shown(chain).slice(0, 2), [
      ['Strike', 'Option type', 'Bid', 'Ask', 'IV'],
      ['95', 'Call', '0.2', '1', '0.2'],
    ])
})

test('words that begin like the name of a day are none', () => {
  const typeOf = (...cells: string[]) =>
    readTable(lines('deal,size', cells.length, (i) => `${cells[i]},${i}`)).columns[0].type
  assert.equal(typeOf('Sunrise 2023-1', 'Sunrise 2023-2'), 'text')
  assert.equal(typeOf('Monthly 1/2/2024', 'Monthly 1/3/2024'), 'text')
  assert.equal(typeOf('Months 1-2-24', 'Months 3-4-24'), 'text')
  assert.equal(typeOf('Wed. 13 Jan 2027', 'Thursday 14 Jan 2027'), 'day')
})

test('scores with a rating that is withdrawn are numbers, and counts of ratings are no ratings', () => {
  const scores = lines('loan,rating_score', 20, (i) => `L${i},${i === 4 ? 'NR' : 500 + 3 * i}`)
  const [, score] = readTable(scores).columns
  assert.deepEqual([score.type, score.odd], ['number', [{ row: 4, text: 'NR' }]])
  const counts = lines(
    'Sector,Rating count 2022,Rating count 2023',
    10,
    (i) => `S${i},${(3 * i) % 7},${(5 * i) % 9}`,
  )
  assert.deepEqual(guessed(MOVES, readTable(counts)).fields, {})
})

test('JSON of pandas is read by columns and by rows', () => {
  const byColumns = { t: { '2024-01-01': 1, '2024-01-02': 2.5 }, p: { '2024-01-01': 3, '2024-01-02': null } }
  assert.deepEqual(shown(JSON.stringify(byColumns)), [
    ['Unnamed: 0', 't', 'p'],
    ['2024-01-01', '1', '3'],
    ['2024-01-02', '2.5', ''],
  ])
  assert.deepEqual(
    shown(
      JSON.stringify({
        columns: ['t', 'p'],
        index: [0, 1],
        data: [
          [1, 2],
          [3, 4],
        ],
      }),
    ),
    [
      ['t', 'p'],
      ['1', '2'],
      ['3', '4'],
    ],
  )
})

test('a margin is no rating, an issue is no day of a quote, and a row with a gap is no heading', () => {
  const panel = lines('company,date,operating_margin', 24, (i) => `C${i % 4},20${10 + i}-12-31,${i % 6}`)
  assert.deepEqual(
    recognise(readTable(panel)).map(({ what }) => what),
    ['a series of numbers'],
  )
  const margins = lines('company,operating_margin', 24, (i) => `C${i},${i % 12 ? i : 'NR'}`)
  assert.equal(readTable(margins).columns[1].type, 'number')
  const issued =
    'issue date,expiry,strike,spot,iv\n2020-01-01,2024-01-01,90,100,0.2\n2020-01-01,2024-06-01,95,100,0.2\n'
  assert.equal(guessed(GREEKS, readTable(issued)).open.days, undefined)
  assert.equal(readTable('name,,city,score\nAnn,x,Rome,n/a\nBob,y,Oslo,3\nEva,z,Bonn,4\n').rows, 3)
})

test('rows whose names are no headings of columns make no matrix of ratings', () => {
  const quotes = lines('symbol,bid,ask,last,volume', 4, (i) => `X${i},${i},${i + 1},${i + 0.5},${10 * i}`)
  assert.deepEqual(
    recognise(readTable(quotes)).map(({ what }) => what),
    ['a table of numbers'],
  )
})

test('ratings with a column for each half-year or quarter are a history of the last days of these', () => {
  const historyOf = (...periods: string[]) => {
    const rows = ['A;AA;AA;BBB', 'B;BB;BB;D', 'C;A;BBB;BBB']
    const table = readTable([['Issuer', ...periods].join(';'), ...rows].join('\n'))
    return [
      recognise(table)[0]?.what,
      table.made,
      table.head
        .slice(0, 3)
        .map((cells) => cells[1])
        .join(),
    ]
  }
  const made = 'a row for each rating, on the last day of its period'
  const halves = ['a rating history', made, '2020-06-30,2020-12-31,2021-06-30']
  assert.deepEqual(historyOf('2020H1', '2020H2', '2021H1'), halves)
  assert.deepEqual(historyOf('H1 2020', 'H2 2020', 'H1 2021'), halves)
  assert.deepEqual(historyOf('Rating 1H20', 'Rating 2H20', 'Rating 1H21'), halves)
  assert.deepEqual(historyOf('1. Hj. 2020', '2. Hj. 2020', '1. Hj. 2021'), halves)
  assert.deepEqual(historyOf("Q1'20", "Q2'20", "Q4'20")[2], '2020-03-31,2020-06-30,2020-12-31')
  for (const others of [
    ['S1', 'S2', 'S3'],
    ['H1 2020', 'H1 2020', 'H2 2020'],
    ['T120', 'T220', 'T320'],
    ['Q5 2020', 'Q6 2020', 'Q7 2020'],
  ])
    assert.equal(historyOf(...others)[1], '', others.join())
})

test('outcomes of two codes are no measures, and are labels of scores', () => {
  const X: TableSpec = { kind: 'matrix', field: 'X' }
  const used = (headings: string, row: (i: number) => string) => {
    const table = readTable(lines(headings, 12, row))
    return guessed(X, table).used.map((i) => table.columns[i].name)
  }
  const row = (i: number) => `${100 + ((i * 37) % 11)},${i % 24},${Number(i % 4 === 0)}`
  for (const outcome of ['is_fraud', 'Class', 'label', 'fraud_flag', 'default', 'isAnomaly', 'churned'])
    assert.deepEqual(used(`amount,hour,${outcome}`, row), ['amount', 'hour'], outcome)
  assert.deepEqual(
    used('amount,hour,outlier', (i) => `${i * i},${i},${i % 5 === 0 ? -1 : 1}`),
    ['amount', 'hour'],
  )
  for (const measure of ['has_children', 'is_weekend', 'fraud_score', 'sex'])
    assert.deepEqual(used(`amount,hour,${measure}`, row), ['amount', 'hour', measure])
  assert.deepEqual(
    used('amount,hour,class', (i) => `${i * i},${i},${i % 3}`),
    ['amount', 'hour', 'class'],
  )
  assert.deepEqual(
    used('is_fraud,name', (i) => `${i % 2},n${i}`),
    ['is_fraud'],
    'there is no other',
  )
  const scored = readTable(lines('risk_score,is_fraud', 12, (i) => `${(i * 37) % 11},${Number(i % 4 === 0)}`))
  assert.equal(guessed(SCORES, scored).fields.y_true, 1)
})
