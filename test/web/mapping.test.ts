/** The meaning of the columns of tables: guesses to confirm, questions before a request, and the request itself. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tableFromIPC } from 'apache-arrow'
import { joined } from '../../src/wire/arrow/write-stream.ts'

const web = join(import.meta.dirname, '../../src/web/console')
const { textEntry } = await import(join(web, 'table-entry.ts'))
const { bodyOf, requestOf } = await import(join(web, 'data/request.ts'))
const { arrowBody } = await import(join(web, 'data/arrow-body.ts'))
const { withField } = await import(join(web, 'data/mapping.ts'))
const { models } = await import(join(web, 'kernels/models.ts'))

const OPTIONS = {
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
const MATRIX = { kind: 'matrix', field: 'X' }
const RATINGS = { kind: 'transitions', field: 'transitions' }
const SHARES = { kind: 'columns', fields: ['probabilities'] }
const SCORES = {
  kind: 'columns',
  fields: ['y_true', 'y_score'],
  choices: { y_true: [1, 0] },
  turns: 'y_score',
}

const SAMPLES = {
  kind: 'samples',
  fields: ['expected', 'actual', 'expected_y_true', 'actual_y_true', 'expected_weights', 'actual_weights'],
  needed: ['expected', 'actual'],
  choices: { expected_y_true: [1, 0], actual_y_true: [1, 0] },
}

interface Ask {
  key: string
  text: string
}

/** The table of a text and its mapping, with the questions and the request that follow, after changes of the mapping. */
function read(spec: object, text: string, changes: object = {}) {
  const { table, mapping } = textEntry(spec, text)
  const changed = { ...mapping, ...changes }
  const { asks, fields, shown } = requestOf(spec, table, changed)
  const names = Object.fromEntries(
    Object.entries(mapping.fields).map(([field, column]) => [field, table.columns[column as number].name]),
  )
  const guesses = mapping.guesses.map((guess: Ask) => guess.text)
  return { table, mapping, names, guesses, asks: asks.map((ask: Ask) => ask.text), fields, shown }
}

const QUOTES = {
  kind: 'records',
  field: 'quotes',
  fields: ['K', 'T', 'price', 'implied_volatility', 'option_type', 'weight'],
  needed: ['K', 'T'],
  choices: { option_type: ['call', 'put'] },
}

test('each row of a table is an object, without the fields that have no column', () => {
  const { asks, fields } = read(QUOTES, 'Strike,T,IV,Type\n90,0.5,25,P\n110,1,20,C', { guesses: [] })
  assert.deepEqual(asks, [])
  assert.deepEqual(fields.quotes, [
    { K: 90, T: 0.5, implied_volatility: 0.25, option_type: 'put' },
    { K: 110, T: 1, implied_volatility: 0.2, option_type: 'call' },
  ])
  assert.deepEqual(read(QUOTES, 'Strike,IV\n90,0.25', { guesses: [] }).asks, [
    'Choose the column of Time to maturity.',
  ])
})

test('headings of other trades and languages are guessed, and a guess waits for its confirmation', () => {
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
    assert.deepEqual(Object.keys(names).sort(), [...OPTIONS.fields].sort(), head)
    assert.equal(names.strike, strike)
    assert.ok(guesses.includes('“C” is call, “P” is put'))
    assert.deepEqual(asks, ['Confirm what was guessed.'])
  }
  const exact = read(OPTIONS, 'spot,strike,option_type\n100,90,call\n100,95,put')
  assert.deepEqual(exact.guesses, [])
  assert.deepEqual(exact.fields.option_type, { values: new Float64Array([0, 1]), words: ['call', 'put'] })
})

test('a column of other things names no field', () => {
  const { names } = read(OPTIONS, 'Open Interest,Days off,Stock of coal\n1,2,3\n4,5,6')
  assert.deepEqual(names, {})
})

test('units follow from headings, cells and dates, whose first day is asked for', () => {
  const quotes = 'Strike,Expiration,IV (%)\n90,2024-06-20,24.5\n95,2024-09-18,26\n'
  assert.deepEqual(read(OPTIONS, quotes, { guesses: [] }).asks, ['Enter the day from which the dates count.'])
  const { fields } = read(OPTIONS, quotes, { guesses: [], day: '2024-03-22' })
  assert.deepEqual(fields.time_to_maturity, new Float64Array([90 / 365, 180 / 365]))
  assert.deepEqual(fields.volatility, new Float64Array([0.245, 0.26]))
  const days = read(OPTIONS, 'strike,Laufzeit (Tage)\n90,73\n95,146\n', { guesses: [] })
  assert.deepEqual(days.fields.time_to_maturity, new Float64Array([0.2, 0.4]))
  const counts = read(SHARES, 'species,count\noak,3\nash,1\n', {})
  assert.deepEqual(counts.asks, ['Choose the column of Probabilities.'])
  const { table, mapping } = counts
  const chosen = withField(SHARES, table, mapping, 'probabilities', 1)
  assert.deepEqual(
    requestOf(SHARES, table, { ...chosen, guesses: [] }).fields.probabilities,
    new Float64Array([0.75, 0.25]),
  )
})

test('rates, times and percents that another unit would not have are guessed in that unit, and the guess is confirmed', () => {
  const unitsIn = (spec: object, text: string) => read(spec, text).mapping.units
  const whole = read(OPTIONS, 'strike,risk_free_rate,time_to_maturity\n90,2.5,7\n95,2.25,14\n')
  assert.deepEqual(whole.guesses, ['Risk-free rate: 5 is 5 %', 'Time to maturity: in days, ÷ 365'])
  assert.deepEqual(unitsIn(OPTIONS, 'strike,r,volatility,T\n90,0.05,1.2,1\n95,0.25,0.9,2\n'), {
    risk_free_rate: 'decimal',
    volatility: 'decimal',
    time_to_maturity: 'years',
  })
  assert.equal(unitsIn(OPTIONS, 'strike;Zinssatz (%)\n90;0,05\n95;0,1\n').risk_free_rate, 'percent')
  assert.equal(unitsIn(OPTIONS, 'strike;Zinssatz (%)\n90;0,05 %\n95;0,1 %\n').risk_free_rate, 'decimal')
})

test('the rows of a matrix of counts are in the order of its columns, without sums and withdrawn ratings', () => {
  const square = [90, 9, 1, 5, 80, 15, 0, 0, 50]
  for (const text of [
    'from,A,B,D\nD,0,0,50\nB,5,80,15\nA,90,9,1\n',
    'from,A,B,D,NR,Total\nA,90,9,1,3,103\nB,5,80,15,0,100\nD,0,0,50,0,50\nTotal,95,89,66,3,253\n',
  ]) {
    const { asks, fields, shown } = read(RATINGS, text)
    assert.deepEqual(asks, [])
    assert.deepEqual([...fields.transitions.values], square)
    assert.deepEqual(shown.labels, ['A', 'B', 'D'])
  }
})

test('labels of two classes are asked for unless their words or 0 and 1 say which is a default', () => {
  assert.deepEqual(read(SCORES, 'bad_flag,pd\n1,0.3\n0,0.1\n').fields, null)
  assert.deepEqual(read(SCORES, 'y_true,y_score\n1,0.3\n0,0.1\n').fields.y_true, new Float64Array([1, 0]))
  const words = read(SCORES, 'Ausfall;Scorewert\nja;0,3\nnein;0,1\n')
  assert.ok(words.guesses.includes('“ja” is 1, default, “nein” is 0, no default'))
  const coded = read(SCORES, 'class,score\n1,0.3\n2,0.1\n1,0.2\n', { guesses: [] })
  assert.deepEqual(coded.asks, ['Say what “1” in class means.'])
  const meant = read(SCORES, 'class,score\n1,0.3\n2,0.1\n3,0.2\n', {
    guesses: [],
    meanings: { y_true: { 1: 0, 2: 1, 3: '–' } },
  })
  assert.deepEqual(
    [meant.fields.y_true, meant.fields.y_score],
    [new Float64Array([0, 1]), new Float64Array([0.3, 0.1])],
  )
  assert.deepEqual([...meant.shown.kept], [0, 1])
})

test('scores turned around have the area under ROC that was said', () => {
  const text = `y_true,y_score\n${Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? 1 : 0},${(i * 7) % 11}`).join('\n')}`
  const auc = (isTurned: boolean) =>
    models.mlCreditDiscrimination.preview(read(SCORES, text, { isTurned }).fields).auc_roc
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

test('a reading of cells that was chosen among two is confirmed, in a matrix and in the names of rows too', () => {
  assert.deepEqual(read(MATRIX, 'when,a,b\n01/02/2024,1.234,5.678\n03/04/2024,5.678,9.123\n').guesses, [
    '“01/02/2024” in when is 2024-01-02, not 2024-02-01, and likewise in 2 more columns',
  ])
  assert.deepEqual(read(MATRIX, 'when,a\n01/02/2024,1.5\n13/04/2024,2\n').guesses, [])
})

test('a column without values names no rows', () => {
  assert.equal(read(MATRIX, 'a,b\n1,\n2,\n').mapping.names, -1)
})

test('an id is no measure, and is guessed by its heading, or by the lack of one in the first column', () => {
  for (const [heading, name] of [
    ['loan_id', 'loan_id'],
    ['', 'Column 1'],
    ['Unnamed: 0', 'Unnamed: 0'],
  ]) {
    const { guesses, mapping } = read(MATRIX, `${heading},income\n17,5.5\n18,6.5\n`)
    assert.deepEqual([mapping.names, mapping.used, guesses], [0, [1], [`${name} names the rows`]])
  }
  assert.equal(read(MATRIX, '17,5.5\n18,6.5\n').mapping.names, -1)
})

test('a number without a percent sign among others with one is confirmed, wherever it is', () => {
  const shares = Array.from({ length: 300 }, (_, i) => `${90 + i},20%`)
  const text = ['strike,volatility', ...shares, '95,25', ''].join('\n')
  const { asks, guesses } = read(OPTIONS, text)
  assert.deepEqual(guesses, ['“25” in volatility is 25, not 0.25'])
  assert.deepEqual(asks, ['Confirm what was guessed.'])
  assert.deepEqual(read(OPTIONS, 'strike,volatility\n90,20%\n95,0\n').guesses, [])
})

test('another table of the same headings and length is asked about again, and an edited one is not', () => {
  const entry = (text: string, given: object = {}) => textEntry(OPTIONS, text, given)
  const confirmed = (one: { mapping: object }) => ({ ...one, mapping: { ...one.mapping, guesses: [] } })
  const asShares = confirmed(entry('spot,strike,volatility\n100,90,0.2\n100,95,0.3\n'))
  const text = 'spot,strike,volatility\n100,90,20\n100,95,30\n'
  const asPercent = entry(text, { before: asShares })
  assert.deepEqual(
    [asPercent.mapping.units, asPercent.mapping.guesses[0].text],
    [{ volatility: 'percent' }, 'Volatility: 5 is 5 %'],
  )
  const edited = entry(text.replace('30', '35'), { before: confirmed(asPercent) })
  assert.deepEqual([edited.mapping.units, edited.mapping.guesses], [{ volatility: 'percent' }, []])
})

test('a type that was chosen stays with the headings for which it was chosen', () => {
  const types = { 0: 'comma' }
  const entry = (text: string, before: object | null = null) => textEntry(MATRIX, text, { before, types })
  const first = textEntry(MATRIX, 'a,b\n"1,234",2\n"2,345",3\n')
  const chosen = entry('a,b\n"1,234",2\n"2,345",3\n', first)
  assert.deepEqual([...chosen.table.columns[0].values], [1.234, 2.345])
  assert.equal(entry('a,b\n"1,234",2\n"2,345",4\n', chosen).table.columns[0].type, 'comma')
  const other = entry('price,strike\n1.234,2\n2.345,3\n', chosen)
  assert.deepEqual([[...other.table.columns[0].values], other.types], [[1.234, 2.345], {}])
})

test('a history of ratings is counted, in the order of a known scale; a matrix of counts is taken as it is', () => {
  const history = read(RATINGS, 'Obligor,From Rating,To Rating\nA,AA,AAA\nB,AA,AA\nC,B,D\nD,AA,NR\n', {
    guesses: [],
  })
  assert.deepEqual(history.shown.labels, ['AAA', 'AA', 'B', 'D'])
  assert.deepEqual([...history.fields.transitions.values], [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  assert.deepEqual([history.shown.moves, history.shown.outside], [3, 1])
  const counts = read(RATINGS, 'from,1,2,D\n1,9,1,0\n2,1,7,2\nD,0,0,5\n')
  assert.deepEqual(counts.shown.labels, ['1', '2', 'D'])
  assert.equal(counts.fields.transitions.rows, 3)
  assert.match(
    read(RATINGS, '1,2,3\n4,5,6\n', { isHistory: false }).asks[0],
    /as many rows as columns; this one has 2 rows and 3 columns/,
  )
})

test('weights are a column where there is one, and no other column is taken for them', () => {
  const spec = {
    kind: 'columns',
    fields: ['y_true', 'y_prob', 'weights'],
    needed: ['y_true', 'y_prob'],
    choices: { y_true: [1, 0] },
  }
  const given = read(spec, 'bad,pd,Gewicht\n0,0.1,2\n1,0.7,0.5\n', { guesses: [] })
  assert.deepEqual(given.fields.weights, new Float64Array([2, 0.5]))
  const without = read(spec, 'bad,pd,age\n0,0.1,30\n1,0.7,40\n', { guesses: [] })
  assert.deepEqual(without.asks, [])
  assert.deepEqual(without.fields.weights, new Float64Array())
})

test('points of a score are not taken for probabilities, and are refused where they are chosen', () => {
  const spec = { kind: 'columns', fields: ['y_true', 'y_prob'], choices: { y_true: [1, 0] } }
  const text = 'id,score,bad flag\nA,640,0\nB,710,1\n'
  const { asks, mapping, table } = read(spec, text)
  assert.deepEqual(asks, ['Choose the column of Probabilities of default.', 'Confirm what was guessed.'])
  const chosen = withField(spec, table, mapping, 'y_prob', 1)
  assert.deepEqual(read(spec, text, { ...chosen, guesses: [] }).asks, [
    '“640” in score is no probability: choose another column or unit.',
  ])
})

test('two samples of a table may differ in length, and labels belong to the scores in their rows', () => {
  const { guesses, fields } = read(SAMPLES, 'build,live\n600,610\n620,605\n640,600\n,590\n', { guesses: [] })
  assert.deepEqual(guesses, ['Expected scores: build', 'Actual scores: live'])
  assert.deepEqual(fields.expected, new Float64Array([600, 620, 640]))
  assert.deepEqual(fields.actual, new Float64Array([610, 605, 600, 590]))
  assert.deepEqual(fields.actual_y_true, new Float64Array())
  const labelled = read(
    SAMPLES,
    'expected,expected_y_true,actual\n600,0,610\n620,1,605\n640,0,n/a\n650,1,590\n',
  )
  assert.deepEqual(labelled.asks, ['Row 3 has no value in actual.'])
  const weighted = read(
    SAMPLES,
    'build,weight,live,sample weight\n600,2,610,1\n620,1,605,0.5\n640,1,600,3\n650,1,,\n',
    {
      guesses: [],
    },
  )
  assert.deepEqual(weighted.guesses.slice(2), ['Expected weights: weight', 'Actual weights: sample weight'])
  assert.deepEqual(weighted.fields.expected_weights, new Float64Array([2, 1, 1, 1]))
  assert.deepEqual(weighted.fields.actual_weights, new Float64Array([1, 0.5, 3]))
  const json = read(SAMPLES, '{"expected":[600,620],"actual":[1,2,3],"expected_y_true":[0,1],"n_bins":4}')
  assert.deepEqual(json.asks, [])
  assert.deepEqual(json.table.others, { n_bins: 4 })
  assert.deepEqual(json.fields.expected_y_true, new Float64Array([0, 1]))
  assert.equal(json.fields.actual.length, 3)
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
  const metadata = tableFromIPC(joined(arrowBody(fields, { n_trees: 5 }).pieces)).schema.metadata
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
