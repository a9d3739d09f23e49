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
function costs(environment: Environment): Record<string, number> {
  const entries = list(environment, 'QUANTD_COSTS').map((item) => {
    const [path = '', credits = '', ...more] = item.split('=')
    const cost = wholeNumber(credits, 0, MAX_CREDITS_PER_SECOND)
    if (!path.startsWith('/quantlib/') || cost === null || more.length > 0)
      throw new ConfigError(
        `QUANTD_COSTS holds "${item}"; write /quantlib/…=credits, separated by commas; credits is a whole number from 0 to ${MAX_CREDITS_PER_SECOND}.`,
      )
    return [path, cost] as const
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
  const listed = list(environment, 'QUANTD_WORK').map((item) => {
    const [name = '', text = '', ...more] = item.split('=')
    const seconds = wholeNumber(text, 1, MAX_TIER_WORK)
    if (!Object.hasOwn(TIER_WORK, name) || seconds === null || more.length > 0)
      throw new ConfigError(
        `QUANTD_WORK holds "${item}"; write tier=processor seconds an hour, separated by commas; the tiers are ${Object.keys(TIER_WORK).join(', ')}.`,
      )
    return [name, seconds] as const
  })
  return Object.freeze({ ...TIER_WORK, ...Object.fromEntries(listed) })
}

/** `QUANTD_INITIAL_CREDITS=registered=350,guest=50` */
function initialCredits(environment: Environment): InitialCredits {
  const defaults: InitialCredits = INITIAL_CREDITS
  const listed = list(environment, 'QUANTD_INITIAL_CREDITS').map((item) => {
    const [name = '', text = '', ...more] = item.split('=')
    const credits = wholeNumber(text, 0, MAX_CREDITS)
    if (!Object.hasOwn(defaults, name) || credits === null || more.length > 0)
      throw new ConfigError(
        `QUANTD_INITIAL_CREDITS holds "${item}"; write registered=credits or guest=credits, separated by commas; credits is a whole number from 0 to ${MAX_CREDITS}.`,
      )
    return [name, credits] as const
  })
  return Object.freeze({ ...defaults, ...Object.fromEntries(listed) })
}
