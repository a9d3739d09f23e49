/** Headings that other programs, professions and languages use for the fields of requests. */
import { labelOf } from '../labels.ts'

/** Words that heads of columns shorten or write in several ways, and the one word for them. */
const SHORT: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['price', 'px prc'],
    ['implied', 'imp impl'],
    ['volatility', 'vol vola volat vlty volt'],
    ['expiry', 'exp expir expire expires expiration'],
    ['maturity', 'mat mty'],
    ['date', 'dt'],
    ['underlying', 'und undl undly underlyer underlier'],
    ['strike', 'stk strk'],
    ['forward', 'fwd'],
    ['dividend', 'div dvd divd'],
    ['yield', 'yld'],
    ['interest', 'int'],
    ['rate', 'rt'],
    ['option', 'opt'],
    ['type', 'typ'],
    ['settle', 'sett settlement stl'],
    ['theoretical', 'theo'],
    ['default', 'def dflt deflt'],
    ['flag', 'flg ind indic indicator'],
    ['probability', 'prob'],
    ['rating', 'rtg'],
    ['previous', 'prev prior'],
    ['current', 'cur curr'],
    ['points', 'pts'],
    ['reference', 'ref'],
    ['weight', 'wgt wt'],
    ['frequency', 'freq'],
  ].flatMap(([word, shorts]) => shorts.split(' ').map((one) => [one, word])),
)

/** Fields of the same meaning, and their headings in the form that `inFull` returns, the most certain first. */
const KNOWN: readonly (readonly [fields: string, headings: string])[] = [
  [
    'spot S',
    'spot|s|s0|spot price|underlying price|price underlying|underlying|underlying last|last underlying|underlying spot|stock price|stock|spot reference|reference price|index level|index price|index|u price|stock price close|underlying price close|basiswert|kassakurs|kurs|kurs basiswert|sous jacent|cours|cours spot|prix spot',
  ],
  [
    'forward',
    'forward|f|forward price|future|futures|future price|futures price|terminkurs|terminpreis|prix a terme',
  ],
  [
    'strike K',
    'strike|k|strike price|price strike|exercise price|basispreis|ausubungspreis|bezugskurs|prix d exercice|prix exercice|preco de exercicio|implied strike',
  ],
  [
    'time_to_maturity T',
    't|tau|ttm|maturity|time to maturity|time to expiry|years to expiry|years to maturity|expiry|expiry date|maturity date|dte|days to expiry|days to maturity|days|tenor|laufzeit|restlaufzeit|verfall|verfallstag|verfallstermin|exdate|expdate|falligkeit|resttage|tage|echeance|maturite|jours|date d echeance|vencimento|option expiry|contract expiry|last trade date or contract month',
  ],
  [
    'risk_free_rate r',
    'r|rf|rfr|rate|domestic rate|dom rate|risk free|risk free rate|rf rate|interest rate|risk free interest rate|zins|zinssatz|risikoloser zins|taux|taux sans risque|taux d interet',
  ],
  [
    'volatility sigma implied_volatility',
    'sigma|iv|volatility|implied volatility|volatility implied|mark iv|iv mark|mark volatility|ivol|ivm|iv mid|mid iv|implied volatility mid|mid volatility|volatilitat|implizite volatilitat|volatilite|volatilite implicite|volatilidade|volatilidade implicita',
  ],
  [
    'dividend_yield q',
    'q|dividend yield|yield dividend|dividend|foreign rate|for rate|dividendenrendite|rendement du dividende|taux de dividende',
  ],
  [
    'option_type',
    'option type|type|cp|c p|pc|p c|call put|put call|cp flag|c p flag|call put flag|put call flag|right|kind|optionstyp|art|type d option',
  ],
  [
    'price',
    'price|premium|option price|market price|mid|mid price|price mid|mark|mark price|last|last price|price last|settle|settle price|price settle|close|close price|theoretical price|theoretical|ask|ask price|price ask|offer|best offer|bid|bid price|price bid|best bid|geld|geldkurs|brief|kurs option|pramie|optionspreis|preis|briefkurs|prime|prix|dernier|last sale|abrechnungspreis|mean price|midpoint|ltp|last traded price|ultimo|preco|implied premium',
  ],
  ['sample', 'sample|samples|dataset|data set|split|partition|subset|set|fold|stichprobe|echantillon'],
  ['theta_vg', 'theta|theta vg|drift|skew'],
  ['nu', 'nu|kurtosis|variance rate'],
  [
    'wealth',
    'wealth|w|net wealth|net worth|total wealth|household wealth|consumption|assets|vermogen|reinvermogen|konsum|fortune|richesse|patrimoine|patrimoine net|consommation|networth|patrimonio|patrimonio liquido|consumo',
  ],
  [
    'y_true',
    'y true|y|y test|y actual|target|label|labels|default|defaulted|default flag|is default|bad|bad flag|is bad|good bad|good bad flag|outcome|class|loan status|performance status|status|event|ausfall|ausgefallen|ausfallkennzeichen|kennzeichen|kreditwurdigkeit|defaut|en defaut|defaillance|actual|observed|ground truth|inadimplente|inadimplencia',
  ],
  [
    'y_score y_prob',
    'y score|y prob|y pred|y proba|y pred proba|predicted probability|pd|pd 12m|12m pd|pd 1y|pit pd|ttc pd|pd pit|pd ttc|model pd|probability of default|default probability|probability default|p default|probability|score|risk score|credit score|score points|scorecard points|bureau score|fico|fico score|behaviour score|prediction|predicted|scorewert|punktzahl|ausfallwahrscheinlichkeit|probabilite de defaut|probabilite|fitted|fitted values|logit|log odds|probabilidade de default|probabilidade de inadimplencia',
  ],
  [
    'weights',
    'weights|weight|sample weight|case weight|frequency|count|counts|n|cnt|moves|n obs|nobs|observations|number of observations|n loans|number of loans|number of accounts|anzahl|nombre|gewicht|gewichte|gewichtung|haufigkeit|poids|ponderation|frequence',
  ],
  [
    'probabilities',
    'p|probability|probabilities|share|weight|frequency|wahrscheinlichkeit|anteil|gewicht|probabilite|part|poids',
  ],
  [
    'from',
    'from|from rating|rating from|old rating|old|previous rating|rating previous|start rating|rating start|rating begin|rating bop|bop rating|opening rating|initial rating|von|von rating|rating alt|altes rating|ausgangsrating|de|note initiale|ancienne note|note debut',
  ],
  [
    'to',
    'to|to rating|rating to|new rating|new|current rating|rating current|end rating|rating end|rating eop|eop rating|closing rating|final rating|nach|zu|bis|nach rating|rating neu|neues rating|endrating|a|vers|note finale|nouvelle note|note fin',
  ],
  [
    'entities',
    'entity|entities|entity id|issuer|issuer id|issuer name|obligor|obligor id|borrower|borrower id|company|company name|company id|firm|counterparty|counterparty id|debtor|debtor id|customer|customer id|client|client id|name|id|lei|isin|ticker|account|emittent|schuldner|kreditnehmer|unternehmen|kunde|kundennummer|emetteur|debiteur|emprunteur|entreprise',
  ],
  [
    'dates',
    'date|dates|times|quote date|trade date|valuation date|pricing date|rating date|date rating|rating action date|action date|as of|as of date|asof|asof date|effective date|date effective|eff date|valid from|from date|start date|snapshot date|reporting date|report date|observation date|obs date|period end|period|quarter|month|year|fiscal year|time|months|years|days|datum|ratingdatum|stichtag|gultig ab|gultig von|jahr|date de notation|date d effet|annee',
  ],
  [
    'ratings',
    'rating|ratings|agency rating|credit rating|issuer rating|rating grade|grade|credit grade|risk grade|internal rating|internal grade|long term rating|lt rating|rating class|rating symbol|rating value|new rating|ratingklasse|ratingnote|bonitat|bonitatsklasse|note|notation|note de credit',
  ],
]

const MOST_REMEMBERED = 50_000

/** A heading in lower case, without accents, units in brackets and punctuation. SQL writes whole headings in brackets. */
export const plain = remembered((heading) =>
  heading
    .replace(/^\s*\[([^[\]]*)\]\s*$/, '$1')
    .replace(/[([].{0,200}?[)\]]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim(),
)

/** What feeds of quotes write before and behind the names of these. */
const VENDORS = /^(cf|last quote|quote) (?=(bid|ask|mid|last|close|price)\b)| (eod|1545)$/g

/** A heading as `plain` returns it, with one word for all that mean the same. */
const inFull = remembered((heading) =>
  plain(heading)
    .split(' ')
    .map((word) => SHORT[word] ?? word)
    .join(' ')
    .replace(VENDORS, ''),
)

/** A function of headings that keeps its results, because each heading is compared with those of all fields. */
function remembered(make: (heading: string) => string): (heading: string) => string {
  const known = new Map<string, string>()
  return (heading) => {
    const found = known.get(heading) ?? make(heading)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(heading, found)
    return found
  }
}

const byField = new Map(
  KNOWN.flatMap(([fields, headings]) =>
    fields.split(' ').map((field): [string, string[]] => [field, headings.split('|')]),
  ),
)
const all = new Set([...byField.values()].flat().concat([...byField.keys()].map(inFull)))

const QUOTES = [
  ['bid', /^((best )?bid( price)?|price bid|geld(kurs)?)$/],
  ['ask', /^((best )?(ask|offer)( price)?|price (ask|offer)|brief(kurs)?)$/],
  ['mid', /^(mid|mark|mean)( price)?$|^price (mid|mark)$|^midpoint$/],
] as const

/** Whether the prices below a heading are bids, asks or between them; null: it does not say. */
export const quoteSide = (heading: string): (typeof QUOTES)[number][0] | null =>
  QUOTES.find(([, words]) => words.test(inFull(heading)))?.[0] ?? null

export const isKnownHeading = (heading: string): boolean => all.has(inFull(heading))

/** A unit behind other words of a heading. */
const UNIT = /(?<=.) (bps?|pct|percent)$/

/** Probabilities of the class of defaults, as models name them: `P_BAD1`, `proba_1`, `p1`, `.pred_Yes`. */
const OF_CLASS =
  /^(p|pred|prob|proba|probability|predict proba|predicted probability)( \w+)? ?(1|yes|bad|default|true)$/

/** How likely a heading means a field, from 0 to 1; 1 is the field's own name or its label. */
export function likeness(field: string, heading: string): number {
  if (heading.trim() === field || [field, labelOf(field)].map(plain).includes(plain(heading))) return 1
  if (field === 'y_true' && isOfDefaults(heading)) return 0.9
  if (field === 'y_prob' || field === 'y_score') {
    if (OF_CLASS.test(plain(heading))) return 0.9
    if (RISKS.test(inFull(heading))) return Math.max(WHOLE, 0.9 - heading.length / 100)
  }
  const known = byField.get(field) ?? []
  const words = inFull(heading).replace(UNIT, '')
  const place = known.indexOf(words)
  if (place !== -1) return 0.9 - 0.4 * (place / known.length)
  const isPart = (one: string) =>
    one.length > 7 && one.length < words.length && ` ${words} `.includes(` ${one} `)
  const part = known.findIndex(isPart)
  return part === -1 ? 0 : 0.4 - 0.3 * (part / known.length)
}

/** The least likeness of a heading that as a whole is a known one. */
export const WHOLE = 0.5

/** Whether a heading as a whole is a known one of a field. */
export const isHeadingOf = (field: string, heading: string): boolean => likeness(field, heading) >= WHOLE

/** Whether a heading is that of ids, names or row numbers. */
export const namesRows = (heading: string): boolean =>
  /^(id|no|nr|row|index|key|.* (id|no|nr|number)|(id|nr|no) .*|.*nummer|(cust|loan|sec|user)id|name|obligor|customer|account|ticker|symbol|isin|contract|loan|client|kunde|konto|.*nr|numero.*)$/.test(
    plain(heading),
  )

/** A value of a field that has few. */
export type Choice = string | number

/** Words that name the class itself. */
const WORDS: Readonly<Record<Choice, string>> = {
  call: 'c|call|calls|ce|kaufoption',
  put: 'p|put|puts|pe|verkaufsoption',
  1: 'd|bad|default|defaulted|in default|charged off|charge off|non performing|schlecht|ausfall|ausgefallen|mauvais|defaut|en defaut',
  0: 'nd|good|no default|non default|nondefault|not defaulted|performing|fully paid|gut|kein ausfall|nicht ausgefallen|bon|sain|pas de defaut',
}
/** Words of which only the heading says to what they answer. */
const ANSWERS: Readonly<Record<Choice, string>> = {
  1: '1|yes|y|true|t|ja|j|wahr|oui|o|vrai|sim|s',
  0: '0|no|n|false|f|nein|falsch|non|faux|nao',
}

/** Headings of columns that say whether there was a default, and of values that rise with its risk. */
const DEFAULTS =
  /^(is |in |y )?(default|defaulted|bad|charged off|delinquent|insolvent|npl|non performing|ausfall|ausgefallen|defaut|en defaut|defaillance|inadimplente|inadimplencia|true)( (y n|yes no|j n|ja nein|o n|oui non|s n|0 1|flag|status|event|kennzeichen|payment|next month|(in |within |a |dans les |em )?\d+ ?(m|y|months?|mois|meses|monate|years?)))*$|^ausfallkennzeichen$/
const RISKS =
  /^(y prob|pd|.* pd|pd .*|probability of default|default probability|probability default|p default|ausfallwahrscheinlichkeit|probabilite de defaut|probabilidade de (default|inadimplencia))$/

/** Before the state of a loan, that it was made under an earlier policy. */
const POLICY = /^does not meet the credit policy status /

/**
 * The value of a field that a word certainly means, or undefined. A word such as yes or 1 has a meaning only below a heading that
 * asks for a default.
 */
export function meaningOf(word: string, choices: readonly Choice[], heading: string): Choice | undefined {
  const text = plain(word).replace(POLICY, '')
  const isKnown = (choice: Choice) =>
    plain(String(choice)) === text ? typeof choice !== 'number' : WORDS[choice]?.split('|').includes(text)
  const answers = (choice: Choice) =>
    isOfDefaults(heading) && (ANSWERS[choice]?.split('|') ?? []).includes(text)
  return choices.find((choice) => isKnown(choice) || answers(choice))
}

/** Whether a heading asks for a default, so that `yes` is one. */
const isOfDefaults = (heading: string): boolean =>
  /^y_test$|y_true$/.test(heading) || DEFAULTS.test(inFull(heading))

const OUTCOMES =
  /^(is |has )?(fraud|fraudulent|anomaly|anomalous|outlier|churn|churned|attack|intrusion|spam)( (flag|label|class))?$/

/** Whether a heading says that its column has what was observed in the end, not a measure. */
export const isOfOutcome = (heading: string): boolean =>
  isOfDefaults(heading) ||
  isHeadingOf('y_true', heading) ||
  OUTCOMES.test(inFull(heading)) ||
  /\b(dlq|delinq)/.test(plain(heading))

/** Whether the values below a heading certainly rise with the risk. */
export const isOfRisk = (heading: string): boolean =>
  /^y_(score|prob)$/.test(heading) || RISKS.test(inFull(heading))
