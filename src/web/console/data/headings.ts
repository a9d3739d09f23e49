/** Headings that other programs, professions and languages use for the fields of requests. */
import { labelOf } from '../labels.ts'

/** Fields of the same meaning, and their headings in the form that `plain` returns, the most certain first. */
const KNOWN: readonly (readonly [fields: string, headings: string])[] = [
  [
    'spot S',
    'spot|s|s0|spot price|underlying price|underlying|underlying last|stock price|stock|index level|index|u price|und price|basiswert|kassakurs|kurs|kurs basiswert|sous jacent|cours|cours spot|prix spot',
  ],
  [
    'strike K',
    'strike|k|strike price|exercise price|basispreis|ausubungspreis|bezugskurs|prix d exercice|prix exercice',
  ],
  [
    'time_to_maturity T',
    't|tau|ttm|maturity|time to maturity|time to expiry|years to expiry|years to maturity|expiry|expiration|expiration date|expiry date|exp date|maturity date|dte|days to expiry|days to expiration|days|laufzeit|restlaufzeit|verfall|verfallstag|falligkeit|resttage|tage|echeance|maturite|jours|date d echeance',
  ],
  [
    'risk_free_rate r',
    'r|rf|rate|risk free|risk free rate|interest rate|zins|zinssatz|risikoloser zins|taux|taux sans risque|taux d interet',
  ],
  [
    'volatility sigma implied_volatility',
    'sigma|vol|iv|volatility|implied volatility|implied vol|imp vol|volatilitat|implizite volatilitat|volatilite|volatilite implicite',
  ],
  [
    'dividend_yield q',
    'q|dividend yield|div yield|dividend|div|dividendenrendite|rendement du dividende|taux de dividende',
  ],
  ['option_type', 'option type|type|cp|c p|call put|put call|right|kind|optionstyp|typ|art|type d option'],
  [
    'price',
    'price|premium|option price|market price|mid|mark|last|settle|settlement|close|ask|bid|pramie|optionspreis|preis|briefkurs|prime|prix|dernier',
  ],
  ['theta_vg', 'theta|theta vg|drift|skew'],
  ['nu', 'nu|kurtosis|variance rate'],
  ['wealth', 'wealth|w|assets|vermogen|fortune|richesse|patrimoine'],
  [
    'y_true',
    'y true|y|target|label|labels|default|defaulted|default flag|is default|bad|bad flag|is bad|outcome|good bad|class|loan status|status|event|ausfall|ausgefallen|ausfallkennzeichen|kennzeichen|kreditwurdigkeit|defaut|en defaut|defaillance',
  ],
  [
    'y_score y_prob',
    'y score|y prob|y pred|pd|probability of default|default probability|prob default|p default|prob|probability|score|risk score|credit score|prediction|predicted|scorewert|punktzahl|ausfallwahrscheinlichkeit|probabilite de defaut|probabilite',
  ],
  [
    'weights',
    'weights|weight|sample weight|case weight|frequency|count|gewicht|gewichte|gewichtung|haufigkeit|poids|ponderation|frequence',
  ],
  [
    'probabilities',
    'p|prob|probability|probabilities|share|weight|frequency|wahrscheinlichkeit|anteil|gewicht|probabilite|part|poids',
  ],
  [
    'from',
    'from|from rating|rating from|old rating|old|previous rating|prior rating|start rating|rating start|rating begin|initial rating|von|von rating|rating alt|altes rating|ausgangsrating|de|note initiale|ancienne note|note debut',
  ],
  [
    'to',
    'to|to rating|rating to|new rating|new|current rating|end rating|rating end|final rating|nach|zu|bis|nach rating|rating neu|neues rating|endrating|a|vers|note finale|nouvelle note|note fin',
  ],
]

const byField = new Map(
  KNOWN.flatMap(([fields, headings]) =>
    fields.split(' ').map((field): [string, string[]] => [field, headings.split('|')]),
  ),
)
const all = new Set([...byField.values()].flat().concat([...byField.keys()].map(plain)))

/** A heading in lower case, without accents, units in brackets and punctuation. */
export function plain(heading: string): string {
  return heading
    .replace(/[([].*?[)\]]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

export const isKnownHeading = (heading: string): boolean => all.has(plain(heading))

/** How likely a heading means a field, from 0 to 1; 1 is the field's own name or its label. */
export function likeness(field: string, heading: string): number {
  if (heading.trim() === field || [field, labelOf(field)].map(plain).includes(plain(heading))) return 1
  if (field === 'y_true' && isOfDefaults(heading)) return 0.9
  const known = byField.get(field) ?? []
  const words = plain(heading)
  const place = known.indexOf(words)
  if (place !== -1) return 0.9 - 0.4 * (place / known.length)
  const part = known.findIndex((one) => one.length > 7 && ` ${words} `.includes(` ${one} `))
  return part === -1 ? 0 : 0.4 - 0.3 * (part / known.length)
}

/** Whether a heading is that of ids, names or row numbers. */
export const namesRows = (heading: string): boolean =>
  /^(id|no|nr|row|index|key|.* (id|no|nr|number)|(id|nr|no) .*|.*nummer|.*id|name|obligor|customer|account|ticker|symbol|isin|contract|loan|client|kunde|konto|kontonr|numero.*)$/.test(
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
  1: '1|yes|y|true|t|ja|j|wahr|oui|o|vrai',
  0: '0|no|n|false|f|nein|falsch|non|faux',
}

/** Headings of columns that say whether there was a default, and of values that rise with its risk. */
const DEFAULTS =
  /^(is |in |y )?(default|defaulted|bad|charged off|delinquent|insolvent|npl|non performing|ausfall|ausgefallen|defaut|en defaut|defaillance|true)( (y n|yes no|j n|ja nein|o n|oui non|0 1|flag|indicator|ind|status|event|kennzeichen|12m|1y))*$|^ausfallkennzeichen$/
const RISKS =
  /^(y prob|pd|.* pd|pd .*|probability of default|default probability|prob default|p default|ausfallwahrscheinlichkeit|probabilite de defaut)$/

/**
 * The value of a field that a word certainly means, or undefined. A word such as yes or 1 has a meaning only below a heading that
 * asks for a default.
 */
export function meaningOf(word: string, choices: readonly Choice[], heading: string): Choice | undefined {
  const text = plain(word)
  const isKnown = (choice: Choice) =>
    plain(String(choice)) === text ? typeof choice !== 'number' : WORDS[choice]?.split('|').includes(text)
  const answers = (choice: Choice) =>
    isOfDefaults(heading) && (ANSWERS[choice]?.split('|') ?? []).includes(text)
  return choices.find((choice) => isKnown(choice) || answers(choice))
}

/** Whether a heading asks for a default, so that `yes` is one. */
const isOfDefaults = (heading: string): boolean => /y_true$/.test(heading) || DEFAULTS.test(plain(heading))

/** Whether the values below a heading certainly rise with the risk. */
export const isOfRisk = (heading: string): boolean =>
  /^y_(score|prob)$/.test(heading) || RISKS.test(plain(heading))
