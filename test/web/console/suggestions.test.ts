/** What a table suggests for its open questions and for the fields beside it, which one click confirms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { requestOf } from '../../../src/web/console/data/request.ts'
import { suggestionOf } from '../../../src/web/console/data/suggestions.ts'
import type { Question } from '../../../src/web/console/data/values.ts'

const CHOICES = { option_type: ['call', 'put'] }
const IMPLIED: TableSpec = {
  kind: 'rows',
  fields: ['price', 'spot', 'strike', 'risk_free_rate', 'time_to_maturity', 'dividend_yield', 'option_type'],
  choices: CHOICES,
}
const ON_FORWARDS: TableSpec = {
  kind: 'rows',
  fields: ['price', 'forward', 'strike', 'risk_free_rate', 'time_to_maturity', 'option_type', 'model'],
  choices: CHOICES,
}
const SCORES: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_score'],
  choices: { y_true: [1, 0] },
  turns: 'y_score',
}

interface Asked {
  readonly sent?: Readonly<Record<string, number>>
  readonly isEuropean?: boolean
}

/** The suggestion for a table whose columns are confirmed, and what is asked after it. */
function suggested(spec: TableSpec, text: string, { sent = {}, isEuropean = true }: Asked = {}) {
  const table = readTable(text)
  const mapping = { ...guessed(spec, table), guesses: [] }
  const fields = (spec.kind === 'rows' ? spec.fields! : []).filter((field) => !(field in mapping.fields))
  const found = suggestionOf({ spec, table, mapping }, { fields, sent, isEuropean })
  const { asks } = requestOf(spec, table, found?.mapping ?? mapping)
  return { ...found, asks: asks.map(({ text }) => text), isNone: found === null }
}

interface Market {
  readonly spot: number
  readonly rate: number
  readonly dividend: number
}

interface Quoted {
  readonly strike: number
  readonly call: number
  readonly put: number
}

const INDEX: Market = { spot: 6010.5, rate: 0.04, dividend: 0.013 }
const STRIKES = [5600, 5700, 5800, 5900, 6000, 6100, 6200, 6300]

/** Quotes whose calls and puts differ as put–call parity says. */
const quotes = ({ spot, rate, dividend }: Market, years: number, strikes = STRIKES): Quoted[] =>
  strikes.map((strike) => {
    const gap = spot * Math.exp(-dividend * years) - strike * Math.exp(-rate * years)
    const above = 90 * Math.exp(-Math.abs(strike / spot - 1) * 20)
    return { strike, call: Math.max(gap, 0) + above, put: Math.max(-gap, 0) + above }
  })

const cells = (...prices: number[]) =>
  prices.flatMap((price) => [(price - 0.5).toFixed(2), (price + 0.5).toFixed(2)])

/** A row for each option, with the time to maturity in years. */
const longChain = (
  times: readonly number[],
  {
    market = INDEX,
    unit = 1,
    noise = (_i: number) => 0,
  }: {
    readonly market?: Market
    readonly unit?: number
    readonly noise?: (i: number) => number
  } = {},
) =>
  [
    'T,Strike,C/P,Bid,Ask',
    ...times.flatMap((years) =>
      quotes(market, years).flatMap(({ strike, call, put }, i) => [
        [years, strike * unit, 'C', ...cells(call + noise(i))].join(),
        [years, strike * unit, 'P', ...cells(put)].join(),
      ]),
    ),
  ].join('\n')

test('a chain with its spot and day above the headings needs one click for prices, day, spot, rate and dividend yield', () => {
  const day = Date.UTC(2099, 10, 27)
  const rows = ['2100-01-15', '2100-03-19'].flatMap((expiry) =>
    quotes(INDEX, (Date.parse(expiry) - day) / 864e5 / 365).map(({ strike, call, put }) =>
      [expiry, ...cells(call), strike, ...cells(put)].join(),
    ),
  )
  const text = [
    '"S&P 500 INDEX","Last: 6010.5","Change: 17.84"',
    '"Date: November 27, 2099 at 11:06 AM EST","Bid: 6008.5","Ask: 6012.5"',
    'Expiration Date,Call Bid,Call Ask,Strike,Put Bid,Put Ask',
    ...rows,
  ].join('\n')
  const { lines, texts, asks, mapping } = suggested(IMPLIED, text)
  assert.deepEqual(texts, { spot: '6010.5', risk_free_rate: '0.04', dividend_yield: '0.013' })
  assert.deepEqual(lines, [
    'Prices are those of Mid, neither bids nor asks',
    'Expiries count from 2099-11-27: “Date: November 27, 2099 at 11:06 AM EST” above the headings',
    'Spot price 6,010.5: “Last: 6010.5” above the headings',
    'Risk-free rate 4 % and dividend yield 1.3 % by put–call parity of 16 pairs of calls and puts, if these are European; the median residual is 0.0014',
  ])
  assert.deepEqual([mapping?.day, asks], ['2099-11-27', []])
})

test('several expiries tell spot, rate and dividend yield apart; one tells the spot less its dividends', () => {
  const several = suggested(IMPLIED, longChain([0.2, 0.7])).texts
  assert.deepEqual(several, { spot: '6010.5', risk_free_rate: '0.04', dividend_yield: '0.013' })
  const { texts, lines = [] } = suggested(IMPLIED, longChain([0.2]))
  assert.deepEqual(Object.keys(texts ?? {}), ['spot', 'risk_free_rate'])
  assert.ok(Math.abs(Number(texts?.spot) - 6010.5 * Math.exp(-0.013 * 0.2)) < 0.1)
  assert.match(
    lines.join('\n'),
    /Spot price 5,994\.\d+, less the dividends until the expiry, and risk-free rate/,
  )
})

test('strikes in thousandths are proven by put–call parity where no underlying is beside them', () => {
  const { lines, asks } = suggested(IMPLIED, longChain([0.2, 0.7], { unit: 1000 }))
  assert.equal(lines?.[1], 'Strike: divide by 1,000, because 5,600,000 is 5,600')
  assert.deepEqual(asks, [])
})

test('a rate beside forward prices follows from parity, and Black-76 where all are above 0', () => {
  const years = 0.3
  const forward = 6010.5 * Math.exp(0.027 * years)
  const text = [
    'forward,strike,tau,type,mid',
    ...quotes(INDEX, years).flatMap(({ strike, call, put }) => [
      `${forward.toFixed(4)},${strike},${years},call,${call.toFixed(2)}`,
      `${forward.toFixed(4)},${strike},${years},put,${put.toFixed(2)}`,
    ]),
  ].join('\n')
  const { texts, lines } = suggested(ON_FORWARDS, text)
  assert.deepEqual(texts, { risk_free_rate: '0.04', model: 'black_76' })
  assert.match(lines?.[0] ?? '', /^Risk-free rate 4 % by put–call parity of 8 pairs/)
})

test('quotes of two days ago tell a rate that is near, although their times are not quite right', () => {
  const text = longChain([0.2, 0.7]).replace(/^0\.[27]/gm, (years) => String(Number(years) - 2 / 365))
  const { texts = {} } = suggested(IMPLIED, text)
  assert.ok(Math.abs(Number(texts.risk_free_rate) - 0.04) < 0.001, texts.risk_free_rate)
  assert.ok(Math.abs(Number(texts.spot) - 6010.5) < 1, texts.spot)
})

test('one wrong quote does not move the rate', () => {
  const { texts } = suggested(
    IMPLIED,
    longChain([0.2, 0.7], { noise: (i) => (i === 4 ? 60 : 0) }).replace(/^0\.7,6000,C.*\n/m, ''),
  )
  assert.deepEqual(texts, { spot: '6010.5', risk_free_rate: '0.04', dividend_yield: '0.013' })
})

const NO_PARITY: Readonly<Record<string, readonly [string, Asked?]>> = {
  'quotes that are further off than bids and asks': [
    longChain([0.2, 0.7], { noise: (i) => 9 * Math.sin(5 * i) }),
  ],
  'calls only': [longChain([0.2, 0.7]).replace(/^.*,P,.*$/gm, '')],
  'rates of two expiries': [
    `${longChain([0.1], { market: { ...INDEX, rate: 0.07 } })}\n${longChain([1.5]).split('\n').slice(1).join('\n')}`,
  ],
  'times that were counted from another day': [
    longChain([0.2, 0.7]).replace(/^0\.[27]/gm, (years) => String(Number(years) / 10)),
  ],
  'options that are exercised early': [longChain([0.2, 0.7]), { isEuropean: false }],
  'options of two underlyings, each with an expiry of its own': [
    [
      `Symbol,${longChain([0.1])}`.replace(/^0/gm, 'AAA,0'),
      longChain([0.2], { market: { ...INDEX, spot: 6050, dividend: 0 } }).replace(/^0/gm, 'BBB,0'),
    ]
      .join('\n')
      .replace(/\nT,.*/, ''),
  ],
  'quotes of two days': [
    [
      'Quote date,Expiry,Strike,C/P,Bid,Ask',
      ...[36.5, 73].flatMap((days, i) =>
        longChain([Math.round(days) / 365], {
          market: { ...INDEX, spot: 6010.5 + 40 * i, dividend: 0.013 * (1 - i) },
        })
          .split('\n')
          .slice(1)
          .map((row) => row.replace(/^[^,]*/, `2098-12-0${i + 1},${['2099-01-06', '2099-02-13'][i]}`)),
      ),
    ].join('\n'),
  ],
  'options that a column calls American': [
    `Exercise style,${longChain([0.2, 0.7])}`.replace(/^0/gm, 'American,0'),
  ],
  'two pairs': [longChain([0.2]).split('\n').slice(0, 5).join('\n')],
}

for (const [name, [text, asked]] of Object.entries(NO_PARITY))
  test(`no rate is suggested for ${name}`, () => {
    const { texts = {} } = suggested(IMPLIED, text, asked)
    assert.deepEqual(texts, {})
  })

test('the day and the spot above the headings are read in the form of other countries', () => {
  const day = Date.UTC(2099, 10, 27)
  const years = (Date.UTC(2100, 2, 19) - day) / 864e5 / 365
  const text = [
    'Underlying;Spot;6.010,50',
    'Stichtag;27.11.2099 17:30;',
    'Basispreis;Verfall;Typ;Abrechnungspreis',
    ...quotes({ ...INDEX, dividend: 0 }, years).flatMap(({ strike, call, put }) =>
      [call, put].map(
        (price, i) => `${strike};19.03.2100;${['Call', 'Put'][i]};${price.toFixed(2).replace('.', ',')}`,
      ),
    ),
  ].join('\n')
  const { texts, lines } = suggested(IMPLIED, text)
  assert.deepEqual(texts, { spot: '6010.5', risk_free_rate: '0.04' })
  assert.deepEqual(lines?.slice(0, 2), [
    'Expiries count from 2099-11-27: “Stichtag 27.11.2099 17:30” above the headings',
    'Spot price 6,010.5: “Spot 6.010,50” above the headings',
  ])
})

test('the spot that a person has entered is taken as it is', () => {
  const { texts } = suggested(IMPLIED, longChain([0.2]), { sent: { spot: 6010.5 } })
  assert.deepEqual(texts, { risk_free_rate: '0.04', dividend_yield: '0.013' })
})

test('a number above the headings that is no price of the underlying is not taken for it', () => {
  for (const title of ['Last: 12.5', 'Change: 6010.5', 'Last: 6010.5,Close: 5990.1', 'Last: 2026'])
    assert.ok(
      !JSON.stringify(suggested(IMPLIED, `${title}\n${longChain([0.2])}`).lines).includes('above'),
      title,
    )
})

test('the day of the data is not that of expiries or earnings, and long texts above the headings take no time', () => {
  const text = longChain([0.2]).replace('T,', 'Expiry,').replace(/^0\.2/gm, '2100-03-19')
  for (const title of [
    'Expiration date: 2100-03-19',
    'Next earnings date: 2099-12-10',
    'Expiry Date,2100-03-19',
    'Ex-dividend date: 2099-12-10',
    'Last trading date: 2099-12-18',
  ])
    assert.ok(!JSON.stringify(suggested(IMPLIED, `${title}\n${text}`).lines ?? []).includes('above'), title)
  for (const title of ['Quote date: 2099-12-10', 'XYZ - Date: 2099-12-10', 'Trade Date,2099-12-10'])
    assert.equal(suggested(IMPLIED, `${title}\n${text}`).mapping?.day, '2099-12-10', title)
  const start = performance.now()
  suggested(IMPLIED, `${'date as of '.repeat(9000)},${`Spot${' '.repeat(60_000)}x`}\n${text}`)
  assert.ok(performance.now() - start < 2000)
})

test('a mid price lies between a bid and an ask above 0', () => {
  const { columns, made } = readTable('Strike,Bid,Ask\n90,1,1.5\n95,0,0.4\n100,3,2\n105,,2\n110,0.1,0.2\n')
  assert.deepEqual([columns[3].name, made], ['Mid', 'Mid from Bid and Ask'])
  assert.deepEqual([...columns[3].values], [1.25, Number.NaN, Number.NaN, Number.NaN, 0.15])
  const { columns: doubtful } = readTable('Strike;Bid;Ask\n90;1,234;1,240\n95;2,345;2,350\n')
  assert.equal(doubtful.length, 3, 'how 1,234 is read would not be asked of the mean')
  assert.equal(readTable('Strike,Bid,Ask\n90,1%,1.2%\n95,2%,2.2%\n').columns[3].isPercent, true)
  for (const headings of [
    'Size,Bid,Ask',
    'Strike,Bid,Mid',
    'Strike,Bid,Bid price',
    'Strike,Bid Size,Ask Size',
  ])
    assert.equal(readTable(`${headings}\n1,2,3\n4,5,6\n`).columns.length, 3, headings)
  assert.deepEqual(
    guessed({ kind: 'matrix', field: 'X' }, readTable('Strike,Bid,Ask\n1,2,3\n4,5,6\n')).used,
    [0, 1, 2],
  )
})

/** Contracts of an exchange of cryptocurrencies, with prices in coins. */
const coins = (strikes: readonly number[], nameOf: (strike: number, type: string) => string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    result: strikes.flatMap((strike) =>
      ['C', 'P'].map((type) => ({
        instrument_name: nameOf(strike, type),
        mid_price: Number(
          ((Math.max(type === 'C' ? 91_000 - strike : strike - 91_000, 0) + 1500) / 91_000).toFixed(4),
        ),
        bid_price: 0.01,
        ask_price: 0.02,
        mark_iv: 55.7,
        underlying_price: 91_000,
        interest_rate: 0,
      })),
    ),
    usIn: 1764403200000000,
  })
const deribit = (strike: number, type: string) => `BTC-25DEC69-${strike}-${type}`

test('prices in coins are times their underlying, which options in the money prove', () => {
  const text = coins([70_000, 91_000, 120_000], deribit)
  const { lines, asks, mapping } = suggested(IMPLIED, text)
  assert.deepEqual(lines, [
    'Prices are those of mid_price, neither bids nor asks',
    'mid_price: in units of the underlying, because options in the money would cost less than exercise pays; 0.2473 × 91,000 is 22,504.3',
  ])
  assert.deepEqual([mapping?.units.price, asks], ['underlying', []])
  const { price, strike } = requestOf(IMPLIED, readTable(text), mapping!).fields as Record<
    string,
    Float64Array
  >
  assert.deepEqual([...price].slice(0, 2), [0.2473 * 91_000, 0.0165 * 91_000])
  assert.deepEqual([...strike].slice(0, 3), [70_000, 70_000, 91_000])
})

test('prices that are tiny beside the underlying are asked about where no option is in the money', () => {
  const out = coins([120_000, 130_000], deribit)
    .replace(/\{"instrument_name":"[^"]*-P".*?\},?/g, '')
    .replace(',]', ']')
  const table = readTable(out)
  const mapping = { ...guessed(IMPLIED, table), guesses: [] }
  const [price] = requestOf(IMPLIED, table, mapping).asks.flatMap((ask) =>
    'answers' in ask ? (ask as Question).answers : [],
  )
  assert.equal(price.label, 'mid_price')
  const [{ text, answers }] = requestOf(IMPLIED, table, price.mapping!).asks as readonly Question[]
  assert.equal(text, 'In which unit is mid_price (Price)?')
  assert.deepEqual(
    answers.map(({ label, effect }) => `${label}: ${effect}`),
    [
      'As written: 0.0165 is 0.0165, 1.81 × 10⁻⁵ % of underlying_price',
      'In the underlying: 0.0165 × 91,000 is 1,501.5',
    ],
  )
  assert.ok(suggested(IMPLIED, out).isNone)
})

test('prices in coins are asked about beside the price of an index too', () => {
  const table = readTable(
    'instrument,mark price,index price\nBTC-25DEC69-70000-C,0.25,91000\nBTC-25DEC69-90000-P,0.12,91000\n',
  )
  assert.equal(guessed(IMPLIED, table).units.price, null)
})

test('cheap options of usual chains have their prices as written', () => {
  for (const text of [
    'spot,strike,T,type,price\n100,120,0.1,call,0.05\n100,130,0.1,call,0.9\n',
    'spot,strike,T,type,price\n1.0852,1.08,0.25,put,0.012\n1.0852,1.1,0.25,call,0.011\n',
  ]) {
    const table = readTable(text)
    assert.equal(guessed(IMPLIED, table).units.price, 'as written', text)
  }
})

test('names of contracts of exchanges of cryptocurrencies have expiry, type and strike', () => {
  const strikeOf = (name: string) => {
    const { columns, head } = readTable(`instrument,mark\n${name},1\n${name},2\n`)
    return [...head[0].slice(2), columns.at(-1)?.values[0]].join()
  }
  assert.equal(strikeOf('XRP_USDC-30JUN26-0d625-P'), '30JUN26,P,0.625,0.625')
  assert.equal(strikeOf('BTC-USD-261225-70000-C'), '2026-12-25,C,70000,70000')
  assert.equal(strikeOf('ETH-261225-3200-P'), '2026-12-25,P,3200,3200')
  for (const other of ['ACME-25FOO26-70000-C', 'AB-261325-7-C', 'LOT-2026-12-C'])
    assert.equal(readTable(`instrument,mark\n${other},1\n${other},2\n`).columns.length, 2, other)
})

const CALIBRATION: TableSpec = {
  kind: 'records',
  field: 'quotes',
  fields: ['K', 'T', 'option_type', 'implied_volatility', 'price'],
  needed: ['K', 'T'],
  choices: CHOICES,
  either: ['implied_volatility', 'price'],
}

/** The suggestion for a calibration, and what is asked after it. */
function calibrated(text: string) {
  const table = readTable(text)
  const mapping = { ...guessed(CALIBRATION, table), guesses: [] }
  const beside = { fields: ['S', 'r', 'q'], sent: {}, isEuropean: true }
  const found = suggestionOf({ spec: CALIBRATION, table, mapping }, beside)
  const { asks } = requestOf(CALIBRATION, table, found?.mapping ?? mapping)
  return { texts: found?.texts ?? {}, lines: found?.lines ?? [], asks: asks.map(({ text }) => text) }
}

test('a calibration takes the spot and the rate from columns that have one value in all rows', () => {
  const { texts } = calibrated('Underlying,Rate,K,T,IV\n100,0.02,90,0.5,0.2\n100,0.02,95,0.5,0.2\n')
  assert.deepEqual(texts, { S: '100', r: '0.02' })
  const moving = calibrated('Underlying,Rate,K,T,IV\n100,0.02,90,0.5,0.2\n101,0.02,95,0.5,0.2\n')
  assert.deepEqual(moving.texts, { r: '0.02' })
  const twice = calibrated('Spot,Underlying,Rate,K,T,IV\n100,99,2,90,0.5,0.2\n100,99,2,95,0.5,0.2\n')
  assert.deepEqual(twice.texts, {}, 'two columns of spots, and a rate of 2 or of 2 %')
})

test('volatilities are taken rather than prices only where both say the same', () => {
  const chain = (volatility: number) =>
    [
      'K,T,C/P,Bid,Ask,IV',
      ...[0.2, 0.7].flatMap((T) =>
        STRIKES.flatMap((strike) =>
          (['call', 'put'] as const).map((type) => {
            const { spot, rate, dividend: dividendYield } = INDEX
            const price = blackScholes({
              spot,
              strike,
              rate,
              dividendYield,
              maturity: T,
              type,
              volatility: 0.2,
            })
            return [strike, T, type, ...cells(price), volatility].join()
          }),
        ),
      ),
    ].join('\n')
  const { texts, lines, asks } = calibrated(chain(0.2))
  assert.deepEqual([texts, asks], [{ S: '6010.5', q: '0.013', r: '0.04' }, []])
  assert.equal(lines[0], 'Volatilities are those of IV, with which the prices agree')
  assert.deepEqual(calibrated(chain(0.21)).asks, ['Which column is Price?'])
})

/** Loans of which every fourth has defaulted, with better scores of those that were paid. */
const loans = (headings: string, row: (state: string, score: number) => string) =>
  [
    headings,
    ...Array.from({ length: 40 }, (_, i) => {
      const state = i % 9 === 7 ? 'Current' : i % 4 === 0 ? 'Charged Off' : 'Fully Paid'
      return row(state, 700 + ((i * 37) % 50) - (state === 'Charged Off' ? 30 : 0))
    }),
  ].join('\n')

test('loans with scores of a bureau need one click: what has no outcome yet, the scores and their direction', () => {
  const text = loans(
    'fico_range_low,fico_range_high,dti,loan_status',
    (state, score) => `${score},${score + 4},${score % 13},${state}`,
  )
  const { lines, asks, mapping } = suggested(SCORES, text)
  assert.deepEqual(asks, [])
  assert.equal(mapping?.isTurned, true)
  assert.equal(lines?.[0], 'Left out: 4 rows with “Current” in loan_status, which have no outcome yet')
  assert.match(
    lines?.[1] ?? '',
    /^Scores are those of fico_range_low.*fico_range_high would order the rows alike$/,
  )
  assert.match(lines?.[2] ?? '', /^Low values of fico_range_low are risky.*area under ROC 0\.\d+$/)
})

test('loans under an earlier policy have their state, and only states that have not ended are left out', () => {
  const text = loans('fico,loan_status', (state, score) => `${score},${state}`)
    .replace('Fully Paid', 'Does not meet the credit policy. Status:Fully Paid')
    .replace('Current', 'Sold')
  const { asks, lines } = suggested(SCORES, text)
  assert.deepEqual(asks, ['Which values of fico are risky?', 'Say what “Sold” in loan_status means.'])
  assert.equal(lines?.[0], 'Left out: 3 rows with “Current” in loan_status, which have no outcome yet')
})

test('scores of a bureau that differ, stand beside others, or contradict their name are asked about', () => {
  const differ = loans(
    'fico_open,fico_now,loan_status',
    (state, score) => `${score},${score + (score % 7) * 9},${state}`,
  )
  assert.deepEqual(suggested(SCORES, differ).asks, ['Which column is Scores?'])
  const rival = loans(
    'fico,pd,loan_status',
    (state, score) => `${score},${(score % 13) / 100 + 0.01},${state}`,
  )
  assert.ok(suggested(SCORES, rival).asks.includes('Which column is Scores?'))
  for (const scoreOf of [
    (score: number) => (score % 9 ? score : 9999),
    (score: number) => Math.floor(score / 100),
  ])
    assert.ok(
      suggested(
        SCORES,
        loans('fico,loan_status', (state, score) => `${scoreOf(score)},${state}`),
      ).asks.includes('Which values of fico are risky?'),
    )
  const wrong = loans('fico,loan_status', (state, score) => `${-score},${state}`)
  assert.ok(suggested(SCORES, wrong).asks.includes('Which values of fico are risky?'))
})

test('one question is answered by its own answers, not suggested once more', () => {
  assert.ok(suggested(IMPLIED, 'Strike,T,C/P,Bid,Ask\n90,1,C,1,2\n95,1,C,3,4\n').isNone)
})

test('days to expiry beside expiries are suggested where both count from the same day', () => {
  const chain = (dte: (i: number) => number, day = ',Quote date') => {
    const rows = Array.from({ length: 8 }, (_, i) => {
      const expiry = ['2099-01-15', '2099-03-19'][i % 2]
      return `${90 + i},${expiry},${dte(i)},${4 + i},${5 + i},100,call${day && ',2098-11-27'}`
    })
    return [`Strike,Expiry,DTE,Bid,Ask,Spot,Type${day}`, ...rows].join('\n')
  }
  const mid = 'Prices are those of Mid, neither bids nor asks'
  const right = (i: number) => [49, 112][i % 2]
  assert.deepEqual(suggested(IMPLIED, chain(right)).lines, [
    mid,
    'DTE: the days from Quote date to Expiry in each row',
  ])
  assert.deepEqual(suggested(IMPLIED, chain(right, '')).lines, [
    mid,
    'DTE: the days from 2098-11-27 to Expiry in each row',
  ])
  assert.equal(
    suggested(
      IMPLIED,
      chain((i) => [49, 90][i % 2]),
    ).isNone,
    true,
  )
})

test('the months between the dates of a history shorter than a year are suggested as its period', () => {
  const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }
  const linesFor = (...dates: string[]) => {
    const rows = ['A', 'B'].flatMap((issuer, i) => dates.map((day) => `${issuer},${day},${['AA', 'D'][i]}`))
    const table = readTable(['issuer,date,rating', ...rows].join('\n'))
    const mapping = { ...guessed(HISTORY, table), guesses: [] }
    const found = suggestionOf(
      { spec: HISTORY, table, mapping },
      { fields: ['period'], sent: {}, isEuropean: true },
    )
    return [found?.texts.period, found?.lines[0]]
  }
  assert.deepEqual(linesFor('2026-01-31', '2026-02-28', '2026-03-31', '2026-06-30'), [
    '1/12',
    'Period 1/12 of a year: the history is shorter than a year, and its dates are 1 month apart',
  ])
  assert.equal(linesFor('FY26Q1', 'FY26Q2', 'FY26Q3')[0], '3/12')
  assert.equal(linesFor('2026-01-31', '2026-06-30', '2027-01-31')[0], undefined)
  assert.equal(linesFor('2026-01-31', '2026-02-11', '2026-03-31')[0], undefined)
})

test('the maturity of a chain of one expiry, which a person has entered, tells its spot and rate', () => {
  const { spot, rate } = { spot: 24_600, rate: 0.065 }
  const years = 28 / 365
  const rows = Array.from({ length: 9 }, (_, i) => {
    const strike = 23_800 + 200 * i
    const [call, put] = (['call', 'put'] as const).map((type) =>
      blackScholes({ spot, strike, rate, dividendYield: 0, volatility: 0.15, maturity: years, type }),
    )
    return `${strike},${call.toFixed(2)},${put.toFixed(2)}`
  })
  const text = ['K,Call,Put', ...rows].join('\n')
  assert.equal(suggested(IMPLIED, text).isNone, true)
  const { texts } = suggested(IMPLIED, text, { sent: { time_to_maturity: years } })
  assert.ok(Math.abs(Number(texts?.spot) / spot - 1) < 1e-4, texts?.spot)
  assert.ok(Math.abs(Number(texts?.risk_free_rate) - rate) < 2e-3, texts?.risk_free_rate)
})
