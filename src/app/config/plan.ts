/** The plan of the settings: limits of account types, costs and initial credits. */
import {
  INITIAL_CREDITS,
  MAX_CREDITS,
  MAX_CREDITS_PER_SECOND,
  MAX_TIER_REQUESTS,
  MAX_TIER_WORK,
  TIER_REQUESTS,
  TIER_WORK,
} from '../../base/limits/callers.ts'
import { wholeNumber } from '../../base/text.ts'
import type { InitialCredits, Plan } from '../../ledger/rules/plan.ts'
import type { Tier, Tiers, Work } from '../../ledger/rules/tiers.ts'
import { ConfigError, type Environment, integer, list } from './values.ts'

export const planOf = (environment: Environment): Plan =>
  Object.freeze({
    tiers: tiers(environment),
    work: work(environment),
    initialCredits: initialCredits(environment),
    lowCredits: integer(environment, 'QUANTD_LOW_CREDITS', 100, 0, MAX_CREDITS),
    costs: costs(environment),
    price: null,
  })

/** `QUANTD_COSTS=/quantlib/ml/clustering/isolation-forest=5,…` */
const costs = (environment: Environment): Record<string, number> =>
  numbers(environment, 'QUANTD_COSTS', {
    isName: (name) => name.startsWith('/quantlib/'),
    least: 0,
    most: MAX_CREDITS_PER_SECOND,
    form: `/quantlib/…=credits, separated by commas; credits is a whole number from 0 to ${MAX_CREDITS_PER_SECOND}`,
  })

interface NumbersForm {
  isName(name: string): boolean
  readonly least: number
  readonly most: number
  /** How to write them. */
  readonly form: string
}

/** Items such as `free=600`: names with whole numbers. */
function numbers(
  environment: Environment,
  setting: string,
  { isName, least, most, form }: NumbersForm,
): Record<string, number> {
  const entries = list(environment, setting).map((item) => {
    const [name = '', text = '', ...more] = item.split('=')
    const number = wholeNumber(text, least, most)
    if (!isName(name) || number === null || more.length > 0)
      throw new ConfigError(`${setting} holds "${item}"; write ${form}.`)
    return [name, number] as const
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** `QUANTD_TIERS=free=500,guest=60/50`: requests per hour and, as a second number, per day. */
function tiers(environment: Environment): Tiers {
  const listed = list(environment, 'QUANTD_TIERS').map((item) => {
    const [, name = '', ...numbers] = /^(\w+)=(\d+)(?:\/(\d+))?$/.exec(item) ?? []
    const [hour, day] = numbers.map((text) => (text ? wholeNumber(text, 1, MAX_TIER_REQUESTS) : undefined))
    if (!Object.hasOwn(TIER_REQUESTS, name) || hour === undefined || hour === null || day === null)
      throw new ConfigError(
        `QUANTD_TIERS holds "${item}"; write tier=requests an hour, or tier=requests an hour/requests a day, separated by commas; the tiers are ${Object.keys(TIER_REQUESTS).join(', ')}.`,
      )
    const tier = name as Tier
    return [tier, { hour, day: day ?? TIER_REQUESTS[tier].day }] as const
  })
  return Object.freeze({ ...TIER_REQUESTS, ...Object.fromEntries(listed) })
}

/** `QUANTD_WORK=free=600,pro=6000`: processor seconds an hour. */
function work(environment: Environment): Work {
  const given = numbers(environment, 'QUANTD_WORK', {
    isName: (name) => Object.hasOwn(TIER_WORK, name),
    least: 1,
    most: MAX_TIER_WORK,
    form: `tier=processor seconds an hour, separated by commas; the tiers are ${Object.keys(TIER_WORK).join(', ')}`,
  })
  return Object.freeze({ ...TIER_WORK, ...given })
}

/** `QUANTD_INITIAL_CREDITS=registered=350,guest=50` */
function initialCredits(environment: Environment): InitialCredits {
  const given = numbers(environment, 'QUANTD_INITIAL_CREDITS', {
    isName: (name) => Object.hasOwn(INITIAL_CREDITS, name),
    least: 0,
    most: MAX_CREDITS,
    form: `registered=credits or guest=credits, separated by commas; credits is a whole number from 0 to ${MAX_CREDITS}`,
  })
  return Object.freeze({ ...INITIAL_CREDITS, ...given })
}
