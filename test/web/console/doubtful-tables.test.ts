/** Tables that can be read in several ways: what is asked or refused, so that no result rests on a guess. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { recognise } from '../../../src/web/console/data/recognise.ts'
import { type Fields, requestOf } from '../../../src/web/console/data/request.ts'
import type { Ask, Question } from '../../../src/web/console/data/values.ts'
import { answered } from './answered.ts'

const types = { option_type: ['call', 'put'] }
const GREEKS: TableSpec = {
  kind: 'rows',
  fields: ['spot', 'strike', 'time_to_maturity', 'dividend_yield', 'option_type', 'volatility'],
  choices: types,
}
const QUOTES: TableSpec = {
  kind: 'records',
  field: 'quotes',
  fields: ['K', 'T', 'option_type', 'implied_volatility', 'price'],
  needed: ['K', 'T'],
  choices: types,
  either: ['implied_volatility', 'price'],
}
const MATRIX: TableSpec = { kind: 'matrix', field: 'X' }
const MOVES: TableSpec = { kind: 'transitions', field: 'transitions' }
const SAMPLES: TableSpec = {
  kind: 'samples',
  fields: ['expected', 'actual', 'expected_weights', 'actual_weights', 'sample'],
  needed: ['expected', 'actual'],
  choices: { sample: ['expected', 'actual'] },
}
const DEFAULTS: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_prob'],
  choices: { y_true: [1, 0] },
  turns: 'y_prob',
}

/** The asks about a table whose columns are confirmed, each with its answers. */
function asked(spec: TableSpec, text: string): Record<string, string[]> {
  const table = readTable(text)
  const { asks } = requestOf(spec, table, { ...guessed(spec, table), guesses: [] })
  const isQuestion = (ask: Ask | Question): ask is Question => 'answers' in ask
  return Object.fromEntries(
    asks.map((ask) => [
      ask.text,
      isQuestion(ask) ? ask.answers.map(({ label, effect }) => `${label}: ${effect}`) : [],
    ]),
  )
}

/** What is asked, or the fields that are sent, after these answers. */
function outcome(spec: TableSpec, text: string, ...labels: string[]): Fields | string[] {
  const { fields, asks } = answered(spec, text, ...labels)
  return fields ?? asks.map((ask) => ask.text)
}

interface Doubtful {
  readonly spec: TableSpec
  readonly text: string
  readonly asks: Readonly<Record<string, readonly string[]>>
}

const AGAIN = 'and train is compared with them'
const SAMPLE_WORDS = {
  'Which rows of dataset are the expected ones?': [
    'train: the bins are made of them, and test is compared with them',
    `test: the bins are made of them, ${AGAIN}`,
  ],
}
const STRIKE_UNIT = 'In which unit is strike (Strike price)?'

const DOUBTFUL: Readonly<Record<string, Doubtful>> = {
  'whole numbers below the heading of an index are no price of the underlying': {
    spec: GREEKS,
    text: 'index,strike,iv\n100007,420000,0.2\n100011,425000,0.2\n100012,430000,0.2\n',
    asks: { [STRIKE_UNIT]: ['As written: 420,000 is 420,000', 'Divide by 1,000: 420,000 is 420'] },
  },
  'the names of rows in JSON are no price of the underlying': {
    spec: GREEKS,
    text: '{"strike":{"100007":420000,"100011":425000},"iv":{"100007":0.2,"100011":0.2}}',
    asks: { [STRIKE_UNIT]: ['As written: 420,000 is 420,000', 'Divide by 1,000: 420,000 is 420'] },
  },
  'no ratio is told to an underlying of 0': {
    spec: GREEKS,
    text: 'spot,strike,iv\n0,420000,0.2\n4200,425000,0.2\n',
    asks: { [STRIKE_UNIT]: ['As written: 420,000 is 420,000', 'Divide by 1,000: 420,000 is 420'] },
  },
  'whole strikes far above the underlying may be thousandths': {
    spec: GREEKS,
    text: 'spot,strike,iv\n5.3,2500,0.5\n5.3,5000,0.5\n5.3,7500,0.5\n',
    asks: {
      [STRIKE_UNIT]: [
        'As written: 2,500 is 2,500, 472 × spot',
        'Divide by 1,000: 2,500 is 2.5, 0.472 × spot',
      ],
    },
  },
  'quotes whose expiry stands only in the first row of each group': {
    spec: QUOTES,
    text: 'Expiry,Strike,IV\n2100-01-15,90,0.2\n,95,0.21\n,100,0.22\n2100-06-15,90,0.2\n,95,0.21\n',
    asks: { '3 of 5 rows lack a value; row 2 has no value in Expiry.': [] },
  },
  'options without a dividend yield': {
    spec: GREEKS,
    text: 'Strike,IV,Dividend yield\n90,0.2,\n95,0.21,0.01\n100,0.22,\n',
    asks: { '2 of 3 rows lack a value; row 1 has no value in Dividend yield.': [] },
  },
  'more cells that are not read than are kept': {
    spec: GREEKS,
    text: ['strike,iv', ...Array.from({ length: 1400 }, (_, i) => `90,${i % 7 ? 0.2 : 'abc'}`)].join('\n'),
    asks: { '200 of 1,400 rows lack a value; row 1 has no value in iv, but “abc”.': [] },
  },
  'weights beside samples in one column': {
    spec: SAMPLES,
    text: 'dataset,score,weight\ntrain,1,10\ntest,2,20\ntrain,3,10\ntest,4,5\n',
    asks: {
      'Is “weight” the weight of each row?': [
        'No: each row counts once: 4 rows',
        'Yes: each row counts as often as its weight: 4 rows count as 45',
      ],
      ...SAMPLE_WORDS,
    },
  },
  'two measures beside samples in one column, of which one ends with the letters of id': {
    spec: SAMPLES,
    text: 'dataset,income,amount_paid\ntrain,1,10\ntest,2,20\ntrain,3,11\ntest,4,5\n',
    asks: {
      'Which column is Expected scores?': ['income: 1 in row 1', 'amount_paid: 10 in row 1'],
      ...SAMPLE_WORDS,
    },
  },
  'positions with the day of their opening, all expired': {
    spec: GREEKS,
    text: 'Trade date,Expiry,Strike,IV\n2023-01-03,2024-06-21,90,0.2\n2024-02-03,2024-06-21,95,0.2\n',
    asks: {
      'From which day do the times to maturity count?': [
        'Trade date: the date in each row: 2023-01-03 in row 1',
        'Another day: you enter it in the heading of Expiry',
      ],
    },
  },
  'two columns that may be probabilities': {
    spec: DEFAULTS,
    text: ',default,utilisation,p_hat\n7,1,0.05,1.5\n8,0,0.95,2.5\n9,0,0.25,3.5\n',
    asks: {
      'Which column is Probabilities of default?': ['utilisation: 0.05 in row 1', 'p_hat: 1.5 in row 1'],
    },
  },
  'grouped moves with as many rows as columns of numbers': {
    spec: MOVES,
    text: 'from_rating,to_rating,n,exposure\nA,A,80,1000\nA,D,2,30\n',
    asks: {
      'Is “n” the weight of each row?': [
        'No: each row counts once: 2 rows',
        'Yes: each row counts as often as its weight: 2 rows count as 82',
      ],
    },
  },
  'moves from the scale of one agency to that of another': {
    spec: MOVES,
    text: 'from_rating,to_rating\nBBB+,Baa1\nA-,A3\nBB,Ba2\n',
    asks: { 'BBB+ and Baa1 are ratings of two scales: keep the rows of one agency.': [] },
  },
}

for (const [name, { spec, text, asks }] of Object.entries(DOUBTFUL))
  test(`asked: ${name}`, () => assert.deepEqual(asked(spec, text), asks))

test('JSON of records by name is refused, and of columns with numbers of rows is read', () => {
  const records = {
    AAPL: { spot: 190, vol: 0.2 },
    MSFT: { spot: 410, vol: 0.22 },
    KO: { spot: 60, vol: 0.1 },
  }
  assert.throws(() => readTable(JSON.stringify(records)), /may be those of rows or of columns/)
  const { columns } = readTable('{"a":{"7":1,"9":2},"b":{"7":3,"9":4}}')
  assert.deepEqual(
    columns.map(({ name, values }) => [name, ...values]),
    [
      ['Unnamed: 0', 7, 9],
      ['a', 1, 2],
      ['b', 3, 4],
    ],
  )
})

test('rows without a sample or a score are asked about before they are left out', () => {
  const text = 'dataset,score\ntrain,1\ntest,2\n,3\ntrain,3\ntest,4\ntest,\n'
  assert.deepEqual(asked(SAMPLES, text), SAMPLE_WORDS)
  assert.deepEqual(outcome(SAMPLES, text, 'train'), [
    '2 of 6 rows lack a value; row 3 has no value in dataset.',
  ])
})

test('a row without a day lacks it in the column of days, and questions name rows as the file numbers them', () => {
  const text = 'Source: x,,\nquote date,expiry,strike\n,2100-01-01,90\n2024-03-02,2100-01-01,95\n'
  assert.deepEqual(outcome(GREEKS, text, 'quote date'), ['Row 1 has no value in quote date.'])
  const noted = 'date,expiry,strike\nSource: x,,\n2024-03-01,2100-01-01,90\n2024-03-02,2100-01-01,95\n'
  assert.match(JSON.stringify(asked(GREEKS, noted)), /2024-03-01 in row 2/)
  const priced: TableSpec = { kind: 'rows', fields: ['price', 'strike'] }
  assert.deepEqual(asked(priced, 'Bid,Ask,Strike\nSource: x,,\n1,2,90\n3,4,95\n'), {
    'Which column is Price?': [
      'Mid: 1.5 in row 2',
      'Ask: 2 in row 2',
      'Bid: 1 in row 2',
      'One value for all rows: ',
    ],
  })
})

test('for expiries that are all past, another day is waited for', () => {
  assert.match(
    String(
      outcome(
        GREEKS,
        DOUBTFUL['positions with the day of their opening, all expired']?.text ?? '',
        'Another day',
      ),
    ),
    /^All dates in Expiry lie before .*: enter the day of the data in its heading\.$/,
  )
})

test('counts of ratings are no ratings', () => {
  const text = `Sector,Rating count 2022,Rating count 2023\n${Array.from({ length: 10 }, (_, i) => `S${i},${(i * 3) % 7},${(i * 5) % 9}`).join('\n')}`
  const whats = recognise(readTable(text)).map(({ what }) => what)
  assert.deepEqual(whats, ['two samples', 'a table of numbers'])
})

test('the meaning of 16,000 columns of numbers is proposed in a second or so, not in the square of their number', () => {
  const table = readTable('a,b\n1.5,3.5\n2.5,4.5\n')
  const columns = Array.from({ length: 16_000 }, (_, i) => ({ ...table.columns[0], name: `c${i}` }))
  const before = performance.now()
  guessed(MOVES, { ...table, columns })
  assert.ok(performance.now() - before < 2500)
})

test('only columns of ids are left out as such', () => {
  const named = (heading: string) => {
    const table = readTable(`${heading},income\n70,5.5\n30,6.5\n20,7.5\n`)
    return guessed(MATRIX, table).names !== -1
  }
  for (const heading of ['id', 'customerId', 'loan_id', 'CUST_ID', 'secid'])
    assert.ok(named(heading), heading)
  for (const heading of ['amount_paid', 'Bid', 'mid', 'liquid']) assert.ok(!named(heading), heading)
})
