/** The settings of operators: their listener, acts of two persons, sign-on at a provider, and where alerts are sent. */
import { isLoopback, withoutBrackets } from '../../base/hosts.ts'
import { EMAIL_ADDRESS, MAX_CREDITS, TEAM_KEY_MOST } from '../../base/limits/callers.ts'
import { ALERT_MAILS } from '../../base/limits/operation.ts'
import { wholeNumber } from '../../base/text.ts'
import type { CapPeriod } from '../../ledger/rules/types.ts'
import type { AlertTargets } from '../../operators/alerts/notice.ts'
import {
  ROLES,
  type Role,
  TWO_PERSON_ACTS,
  type TwoPersonAct,
  type TwoPersons,
} from '../../operators/roles.ts'
import { ConfigError, choice, type Environment, integer, list, origins, secret } from './values.ts'

export type OperatorSettings = Readonly<ReturnType<typeof operatorSettings>>

export const operatorSettings = (environment: Environment) => ({
  operatorHost: environment.QUANTD_OPERATOR_HOST || '127.0.0.1',
  /** Null: no interface for operators. */
  operatorPort: integer(environment, 'QUANTD_OPERATOR_PORT', 0, 0, 65_535) || null,
  /** The origins of proxies in front of it. */
  operatorOrigins: origins(environment, 'QUANTD_OPERATOR_ORIGIN'),
  /** The acts of operators that two persons make. */
  twoPersons: twoPersons(environment),
  /** Null: people log in with tokens and passwords only. */
  signOn: signOn(environment),
})

export function operatorWarnings({ operatorHost: host, operatorPort }: OperatorSettings): string[] {
  if (operatorPort === null || isLoopback(host)) return []
  return [
    `QUANTD_OPERATOR_HOST is "${host}", which other machines can reach: tokens would travel in plain text unless a proxy in front of it uses TLS`,
  ]
}

/** `QUANTD_TWO_PERSONS=grant:10000,delete`: acts, and after a colon the credits from which on they need two persons. */
function twoPersons(environment: Environment): TwoPersons {
  const acts = new Map<string, number>()
  for (const item of list(environment, 'QUANTD_TWO_PERSONS')) {
    const [, name = '', text] = /^([a-z-]+)(?::(\d+))?$/.exec(item) ?? []
    const credits = text === undefined ? 0 : wholeNumber(text, 1, MAX_CREDITS)
    const isAct = Object.hasOwn(TWO_PERSON_ACTS, name)
    const isRefused = text !== undefined && isAct && !TWO_PERSON_ACTS[name as TwoPersonAct]
    if (!isAct || isRefused || credits === null || acts.has(name))
      throw new ConfigError(
        `QUANTD_TWO_PERSONS holds "${item}"; write acts, separated by commas, each once: ${ACTS_IN_WORDS}; credits is a whole number from 1 to ${MAX_CREDITS}.`,
      )
    acts.set(name, credits)
  }
  if (acts.has('grant') && !acts.has('plan'))
    throw new ConfigError(
      'QUANTD_TWO_PERSONS has grant without plan: the plan sets the credits of new accounts, so one person could give any number; add plan.',
    )
  return Object.freeze(Object.fromEntries(acts))
}

const ACTS_IN_WORDS = Object.entries(TWO_PERSON_ACTS)
  .map(([name, hasCredits]) => (hasCredits ? `${name} or ${name}:credits` : name))
  .join(', ')

/** Sign-on by OpenID Connect. */
interface SignOn {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client. */
  readonly clientSecret: string | null
  /** The claim that gives operators their role, and the role of each of its values; null: operators use tokens. */
  readonly roles: { readonly claim: string; readonly of: ReadonlyMap<string, Role> } | null
  /** Whether owners of accounts may sign on in the console. */
  readonly accounts: boolean
  /** Whether an e-mail address is taken that the provider does not call verified, unless it says that it is not. */
  readonly trustEmail: boolean
  /** Null: programs use keys, not the provider's access tokens. */
  readonly programs: Programs | null
}

/** Access tokens of the provider, by which programs act for accounts. */
interface Programs {
  /** A token is taken if it is for one of these. */
  readonly audiences: readonly string[]
  readonly scope: string
  /** The limits with which the programs of an account begin; null: none. */
  readonly limits: {
    readonly creditCap: number | null
    readonly capPeriod: CapPeriod
    readonly hourlyLimit: number | null
  }
}

/** Null: there is no provider. */
function signOn(environment: Environment): SignOn | null {
  const issuer = environment.OIDC_ISSUER || null
  const clientId = environment.OIDC_CLIENT_ID || null
  const clientSecret = secret(environment, 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_SECRET_FILE')
  const roles = environment.OIDC_ROLES ? rolesOf(environment.OIDC_ROLES) : null
  const accounts = choice(environment, 'OIDC_ACCOUNTS', ['off', 'on']) === 'on'
  const trustEmail = choice(environment, 'OIDC_TRUST_EMAIL', ['off', 'on']) === 'on'
  if (issuer === null) {
    const others = [clientId, clientSecret, roles, programs(environment)]
    if (others.some((other) => other !== null) || accounts || trustEmail)
      throw new ConfigError('Set OIDC_ISSUER too: the other settings OIDC_… are about that provider.')
    return null
  }
  const url = URL.parse(issuer)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(withoutBrackets(url.hostname)))
  if (!isSafe || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigError(
      `OIDC_ISSUER is "${issuer}"; it takes the address of a provider that begins with https:// (on this machine also http://).`,
    )
  if (clientId === null) throw new ConfigError('OIDC_ISSUER needs OIDC_CLIENT_ID.')
  if (roles === null && !accounts)
    throw new ConfigError('OIDC_ISSUER needs OIDC_ROLES, for operators, or OIDC_ACCOUNTS=on, for accounts.')
  if (trustEmail && !accounts)
    throw new ConfigError('OIDC_TRUST_EMAIL needs OIDC_ACCOUNTS=on: it is about the addresses of owners.')
  const given = programs(environment)
  if (given !== null && !accounts)
    throw new ConfigError(
      'OIDC_PROGRAMS=on needs OIDC_ACCOUNTS=on: a token acts for the account of a person.',
    )
  return { issuer, clientId, clientSecret, roles, accounts, trustEmail, programs: given }
}

/** Null: access tokens are not taken. */
function programs(environment: Environment): Programs | null {
  const audiences = list(environment, 'OIDC_AUDIENCE')
  const scope = environment.OIDC_SCOPE || null
  const limits = environment.OIDC_PROGRAM_LIMITS || null
  if (choice(environment, 'OIDC_PROGRAMS', ['off', 'on']) === 'off') {
    if (audiences.length > 0 || scope !== null || limits !== null)
      throw new ConfigError(
        'OIDC_AUDIENCE, OIDC_SCOPE and OIDC_PROGRAM_LIMITS need OIDC_PROGRAMS=on: they are about access tokens.',
      )
    return null
  }
  if (audiences.length === 0)
    throw new ConfigError(
      'OIDC_PROGRAMS=on needs OIDC_AUDIENCE: otherwise tokens for any other service of the provider would be taken.',
    )
  if (scope !== null && !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    throw new ConfigError(`OIDC_SCOPE is "${scope}"; it takes one scope, without spaces.`)
  return { audiences, scope: scope ?? 'quantd', limits: programLimits(limits ?? '') }
}

/** `credits=1000/month,requests=200`: a cap with its period, and requests an hour. */
function programLimits(text: string): Programs['limits'] {
  const [, cap, period, requests] =
    /^(?:credits=(\d+)(?:\/(day|month))?)?(?:(?:^|(?<=.),)requests=(\d+))?$/.exec(text.replaceAll(' ', '')) ??
    []
  const [creditCap, hourlyLimit] = [cap, requests].map((digits) =>
    digits === undefined ? null : (wholeNumber(digits, 1, TEAM_KEY_MOST) ?? Number.NaN),
  )
  const isNothing = creditCap === null && hourlyLimit === null && text !== ''
  if (isNothing || Number.isNaN(creditCap) || Number.isNaN(hourlyLimit))
    throw new ConfigError(
      `OIDC_PROGRAM_LIMITS is "${text}"; write credits=NUMBER, credits=NUMBER/day or credits=NUMBER/month, requests=NUMBER an hour, or both with a comma.`,
    )
  return { creditCap, capPeriod: (period as CapPeriod | undefined) ?? 'total', hourlyLimit }
}

/** `groups:quants-admin=admin,support=support`: a claim, and the role of each value. */
function rolesOf(text: string): NonNullable<SignOn['roles']> {
  const start = text.lastIndexOf(':', text.indexOf('='))
  const claim = text.slice(0, Math.max(0, start)).trim()
  const pairs = text
    .slice(start + 1)
    .split(',')
    .map((pair) => {
      const end = pair.lastIndexOf('=')
      return [pair.slice(0, Math.max(0, end)).trim(), pair.slice(end + 1).trim() as Role] as const
    })
  if (claim === '' || pairs.some(([value, role]) => value === '' || !ROLES.includes(role)))
    throw new ConfigError(
      `OIDC_ROLES is "${text}"; write claim:value=role,value=role; the roles are ${ROLES.join(', ')}.`,
    )
  return { claim, of: new Map(pairs) }
}

/** `QUANTD_ALERTS=mail:ops@example.com,webhook` */
export function alerts(environment: Environment): AlertTargets | null {
  const items = list(environment, 'QUANTD_ALERTS')
  if (items.length === 0) return null
  const mails = items.filter((item) => item !== 'webhook').map((item) => /^mail:(.+)$/.exec(item)?.[1] ?? '')
  const isWrong = (address: string) => !new RegExp(EMAIL_ADDRESS, 'u').test(address)
  if (mails.some(isWrong) || mails.length > ALERT_MAILS)
    throw new ConfigError(
      `QUANTD_ALERTS is "${items.join()}"; write mail:ADDRESS, at most ${ALERT_MAILS} of them, or webhook, separated by commas.`,
    )
  return Object.freeze({ mails, webhook: items.includes('webhook') })
}
