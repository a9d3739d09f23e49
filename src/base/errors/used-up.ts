/** Which limit was used up, as data, and the sentence that the service and its pages make of it. */
import { plural } from '../text.ts'

/** The numbers of a limit that was used up: fields of `error` in the reply. */
export interface UsedUp {
  readonly counted: keyof typeof SENTENCES
  /** The most that a window may count. */
  readonly limit?: number
  readonly window?: 'minute' | 'hour' | 'day'
  /** Whose requests the window counts: those of one team key, or of all of them; absent: those of the account. */
  readonly scope?: 'key' | 'team_keys'
}

export const usedUp = (limit: UsedUp): string => SENTENCES[limit.counted](limit)

const SCOPES = { key: ' of this key', team_keys: ' of team keys' }

const window =
  (noun: string, of = '') =>
  ({ limit = 0, scope, window = 'hour' }: UsedUp): string =>
    `The limit of ${plural(limit, noun)}${scope === undefined ? of : SCOPES[scope]} ${window === 'hour' ? 'an' : 'a'} ${window} is used up`

/** By what is counted. */
export const SENTENCES = {
  requests: window('request'),
  account_requests: window('account request'),
  repetitions: window('repetition'),
  processor_seconds: window('processor second', ' of work'),
  replays: ({ limit = 0 }: UsedUp) =>
    `This Idempotency-Key was answered again ${limit} times, which is the limit`,
  attempts: () => 'Too many wrong attempts',
  mails: () => 'Too many mails were requested for this address',
  address_requests: () => 'Too many requests from this address',
  tokens: () => 'Too many wrong tokens',
} as const satisfies Record<string, (limit: never) => string>
