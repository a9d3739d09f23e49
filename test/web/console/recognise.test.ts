/** What a dropped table is recognised as, and the operations that are offered for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from '../../../src/web/console/data/guess.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { recognise } from '../../../src/web/console/data/recognise.ts'

/** Rows below headings; a function makes each from its number. */
const text = (headings: string, rows: number, row: (i: number) => string) =>
  [headings, ...Array.from({ length: rows }, (_, i) => row(i))].join('\n')

const readings = (given: string) => recognise(readTable(given))
const first = (given: string) => {
  const [{ what, offers }] = readings(given)
  return [what, ...offers.map(({ path }) => path)]
}
const day = (i: number) => `${2018 + (i % 6)}-12-31`

test('option chains of brokers are recognised, with the words, separators and headings that these have', () => {
  const chains = [
    text(
      'Contract,Exp. Date,Strike Px,C/P,Bid,Ask,Impl Vol',
      8,
      (i) => `X${i},12/18/2026,${90 + i},Call,1,2,20%`,
    ),
    text(
      'Basispreis;Verfall;Art;Geld;Brief;Impl. Vola',
      8,
      (i) => `${90 + i},5;18.12.2026;Verkaufsoption;1,2;1,4;20,5`,
    ),
    text(
      'Symbol\tStrike\tExp\tRight\tLast\tVolume\tOI\tIV',
      8,
      (i) => `S${i}\t${90 + i}\t2027-03-19\tC\t5\t10\t7\t0.2`,
    ),
  ]
  for (const chain of chains)
    assert.deepEqual(first(chain), [
      'an option chain',
      'pricing/bs/implied-volatility/columns',
      'models/variance-gamma/calibrate',
      'pricing/american/implied-volatility/columns',
      'pricing/bs/greeks/columns',
      'pricing/bs/price/columns',
    ])
  const onForwards = text('fwd,k,tau,type,premium', 8, (i) => `100,${90 + i},0.5,call,4`)
  assert.equal(first(onForwards)[1], 'pricing/forward/implied-volatility/columns')
  assert.deepEqual(first(text('S,K,T,r,sigma', 8, (i) => `100,${90 + i},0.5,0.03,0.2`)), [
    'a list of options',
    'pricing/bs/greeks/columns',
    'pricing/bs/price/columns',
  ])
})

test('volatilities of several strikes on one underlying are a chain, to which a model is fitted', () => {
  const smile = (spot: (i: number) => number) =>
    first(text('Spot,K,T,Implied vol', 8, (i) => `${spot(i)},${90 + i},0.5,0.2${i}`))
  const greeks = ['pricing/bs/greeks/columns', 'pricing/bs/price/columns']
  assert.deepEqual(
    smile(() => 100),
    ['an option chain', ...greeks, 'models/variance-gamma/calibrate'],
  )
  assert.deepEqual(
    smile((i) => 100 + i),
    ['a list of options', ...greeks],
  )
})

test('amounts of wealth are a batch of logarithmic utilities', () => {
  const [{ what, offers }] = readings('Household,Net wealth (USD)\nA,"$120,000"\nB,n/a\nC,"$45,500.25"\n')
  assert.equal(what, 'amounts of wealth')
  assert.equal(
    offers[0].gives,
    'Logarithmic utility of each amount in Net wealth (USD), with marginal utility and risk aversion. 1 row without an amount left out.',
  )
  assert.deepEqual(offers[0].values, {
    calls: [120_000, 45_500.25].map((wealth) => ({
      path: '/quantlib/economics/utility/log',
      body: { wealth },
    })),
  })
  for (const other of ['Id,Consumption\n1,5\n2,7\n', 'client;consommation\nA;12,5\nB;7,25\n'])
    assert.equal(readings(other)[0].what, 'amounts of wealth')
  for (const other of [
    'Company,Assets,Debt\nA,5,3\nB,7,4\nC,8,1\n',
    'Household,Net worth\nA,5\nB,-7\n',
    'Household;Net worth\nA;120,000\nB;45,500\n',
    'Wealth tax,Year\n5,2020\n7,2021\n',
    'Name,Wealth\nA,15%\nB,20%\nC,70%\n',
    'sensor,Consumption (kWh)\nA,15\nB,20\nC,70\n',
  ])
    assert.ok(!readings(other).some(({ what }) => what === 'amounts of wealth'), other)
})

test('JSON of pandas with a schema is its table', () => {
  const fields = [
    { name: 'index', type: 'integer' },
    { name: 'pd', type: 'number' },
    { name: 'default', type: 'boolean' },
  ]
  const data = Array.from({ length: 12 }, (_, index) => ({
    index,
    pd: (1 + index) / 50,
    default: index % 4 === 0,
  }))
  const json = JSON.stringify({ schema: { fields, primaryKey: ['index'], pandas_version: '1.4.0' }, data })
  assert.equal(first(json)[0], 'a portfolio with default probabilities and defaults')
})

test('rows of which a few have the names of columns are no rating matrix', () => {
  const named = text('name,a,b', 8, (i) => `${'uvwxyzab'[i]},${Math.sin(i)},${Math.cos(i)}`)
  assert.deepEqual(first(named)[0], 'a table of numbers')
})

test('a spot beside a strike makes a list of options, however few', () => {
  assert.deepEqual(first('spot,strike\n100,90\n100,99\n')[0], 'a list of options')
})

test('ratings of two years are moves from the earlier to the later; a maturity is no date of a rating', () => {
  const moves = text('obligor,rating_2024,rating_2023', 12, (i) => `O${i},${'ABD'[i % 3]},${'AAB'[i % 3]}`)
  assert.equal(first(moves)[0], 'a list of rating moves')
  const { fields } = guessed({ kind: 'transitions', field: 'transitions' }, readTable(moves))
  assert.deepEqual(fields, { from: 2, to: 1 })
  assert.deepEqual(
    readings(text('obligor,rating a,rating b', 12, (i) => `O${i},${'ABD'[i % 3]},${'AAB'[i % 3]}`)),
    [],
  )
  const bonds = text(
    'ISIN,Issuer,Rating,Maturity,Price',
    12,
    (i) => `X${i},I${i % 4},${'ABC'[i % 3]},203${i % 9}-01-01,${90 + i}`,
  )
  assert.notEqual(first(bonds)[0], 'a rating history')
})

test('portfolios are recognised by defaults beside probabilities or scores', () => {
  const tape = text(
    'loan_number,orig_date,fico,pd_12m_bps,default_flag',
    30,
    (i) =>
      `${1000 + 7 * i},${1 + (i % 12)}/20/2024,${600 + i},${20 + 30 * (i % 9)},${i % 7 ? 'FALSE' : 'TRUE'}`,
  )
  assert.deepEqual(first(tape), [
    'a portfolio with default probabilities and defaults',
    'ml/credit/validation',
    'ml/credit/discrimination',
  ])
  const bank = text(
    'Loan ID;Balance (EUR);PD 12M;Default Flag',
    20,
    (i) => `L${i};${1000 * i};0.0${1 + (i % 8)};${i % 7 ? 'N' : 'Y'}`,
  )
  assert.deepEqual(first(bank), [
    'a portfolio with default probabilities and defaults',
    'ml/credit/validation',
    'ml/credit/discrimination',
  ])
  const scores = text('customer,score,good_bad', 20, (i) => `C${i},${400 + 7 * i},${i % 5 ? 'good' : 'bad'}`)
  assert.deepEqual(first(scores), ['a portfolio with scores and defaults', 'ml/credit/discrimination'])
  assert.equal(first(text('0,0.25', 20, (i) => `${i % 2},0.${10 + i}`))[1], 'ml/credit/validation')
})

test('rating histories, moves and matrices are recognised, and none of them for another', () => {
  const scale = ['AAA', 'BB+', 'B', 'D', 'WR']
  const histories = [
    text('issuer_id,rating_date,agency_rating', 24, (i) => `I${Math.floor(i / 6)},${day(i)},${scale[i % 5]}`),
    text('obligor;year;grade', 24, (i) => `${Math.floor(i / 6)};${2018 + (i % 6)};${1 + (i % 4)}`),
    text(
      'Unternehmen;Stichtag;Bonität',
      24,
      (i) => `U${Math.floor(i / 6)};31.12.${2018 + (i % 6)};${1 + (i % 4)}`,
    ),
  ]
  for (const history of histories)
    assert.deepEqual(first(history), ['a rating history', 'ml/credit/rating-history'])
  const migrations = ['ml/credit/migration', 'ml/credit/migration-generator']
  const moves = text('name,rating_start,rating_end', 20, (i) => `F${i},${scale[i % 3]},${scale[i % 4]}`)
  assert.deepEqual(first(moves), ['a list of rating moves', ...migrations])
  for (const matrix of [
    'From/To,AA,A,BBB,D,NR\nAA,90,7,1,0,2\nA,3,88,5,1,3\nBBB,0,4,85,3,8\n',
    ',A,B,D\nA,90%,9%,1%\nB,5%,80%,15%\nD,0%,0%,100%\n',
    '90,8,2\n5,85,10\n0,0,100\n',
    'A,90,9,1\nB,5,80,15\nD,0,0,50\n',
  ])
    assert.deepEqual(first(matrix), ['a rating matrix', ...migrations], matrix)
})

test('two samples, shares and series are recognised; other tables are offered what takes any numbers', () => {
  assert.deepEqual(first(text('score_dev,score_oot', 20, (i) => `${500 + i},${490 + 2 * i}`)), [
    'two samples',
    'ml/credit/stability',
  ])
  assert.deepEqual(first('Vendor,Share\nA,41.2%\nB,48.8%\nOthers,10%\nTotal,100%\n'), [
    'shares of a whole',
    'physics/entropy/shannon',
  ])
  assert.deepEqual(first(text('x', 20, (i) => String(i ** 2 - 40))), [
    'a series of numbers',
    'ml/preprocessing/outliers',
  ])
  const returns = text(
    'date,SPX,NDX,GOLD',
    20,
    (i) => `${day(i)},${Math.sin(i)},${Math.cos(i)},${Math.sin(2 * i)}`,
  )
  assert.deepEqual(first(returns), [
    'a table of numbers',
    'ml/preprocessing/outliers',
    'ml/clustering/isolation-forest',
  ])
  assert.deepEqual(readings('name,city\nAnn,Rome\nBob,Oslo\n'), [])
})
