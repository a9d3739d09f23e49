/** The settings of operators: acts of two persons. */
import { MAX_CREDITS } from '../limits.ts'
import { TWO_PERSON_ACTS, type TwoPersonAct, type TwoPersons } from '../operator/two-persons.ts'
import { wholeNumber } from '../whole-number.ts'
import { ConfigError, type Environment, list } from './values.ts'

/** `QUANTD_TWO_PERSONS=grant:10000,delete`: acts, and after a colon the credits from which on they need two persons. */
export function twoPersons(environment: Environment): TwoPersons {
  const given = new Map<string, number>()
  for (const item of list(environment, 'QUANTD_TWO_PERSONS')) {
    const [, name = '', text] = /^([a-z-]+)(?::(\d+))?$/.exec(item) ?? []
    const credits = text === undefined ? 0 : wholeNumber(text, 1, MAX_CREDITS)
    const isAct = Object.hasOwn(TWO_PERSON_ACTS, name)
    const isRefused = text !== undefined && isAct && !TWO_PERSON_ACTS[name as TwoPersonAct]
    if (!isAct || isRefused || credits === null || given.has(name))
      throw new ConfigError(
        `QUANTD_TWO_PERSONS holds "${item}"; write acts, separated by commas, each once: ${ACTS_IN_WORDS}; credits is a whole number from 1 to ${MAX_CREDITS}.`,
      )
    given.set(name, credits)
  }
  return Object.freeze(Object.fromEntries(given))
}

const ACTS_IN_WORDS = Object.entries(TWO_PERSON_ACTS)
  .map(([name, hasCredits]) => (hasCredits ? `${name} or ${name}:credits` : name))
  .join(', ')
