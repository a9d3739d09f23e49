/** A failure: what happened, the next step, and the request id by which the service's log names it. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type UsedUp, usedUp } from '../../base/errors/used-up.ts'
import { LinkButton, QuietButton } from './buttons.tsx'
import { becomeGuest } from './guest.ts'
import { labelled, labelOf, withLabels } from './labels.ts'
import { plural, whole } from './numbers.ts'
import { accountCredits, CLOSED, canBeGuest, canRegister } from './offers.ts'
import { ProblemView } from './problem-view.tsx'
import type { Detail, Refusal } from './replies.ts'
import { isGuest } from './session.ts'

interface ProblemProps {
  readonly reply: Refusal
  /** The details that no form field shows. */
  readonly left?: readonly Detail[] | undefined
  /** Sends the same request again. */
  readonly onRetry?: ((isAutomatic?: boolean) => void) | undefined
  /** Whether the request may do something a second time, so that the page does not repeat it by itself. */
  readonly isAct?: boolean | undefined
}

export function Problem({ reply, left = [], onRetry, isAct = false }: ProblemProps) {
  const known = explained(reply, isAct)
  const isAutomatic = known.isAutomatic === true && !isAct
  const wait = reply.standing.retryAfterSeconds ?? (isAutomatic ? 5 : 0)
  return (
    <ProblemView
      reply={reply}
      title={known.title ?? labelled(reply.message)}
      text={known.text}
      details={left}
      detail={(one) => (
        <>
          {placeOf(one.path)}
          {withLabels(one.message)}
        </>
      )}
    >
      <p class="actions">
        {known.link && <LinkButton href={known.link[0]}>{known.link[1]}</LinkButton>}
        {known.isGuestOver && <NewGuest onRetry={onRetry} />}
        {onRetry && known.retries && (
          <Retry seconds={wait} onRetry={onRetry} isAutomatic={isAutomatic} key={reply} />
        )}
      </p>
    </ProblemView>
  )
}

interface Explained {
  readonly title?: string
  readonly text?: string | undefined
  /** An address and its text. */
  readonly link?: readonly [string, string]
  readonly isGuestOver?: boolean
  /** Whether the same request may succeed later, and whether the page sends it by itself. */
  readonly retries?: boolean
  readonly isAutomatic?: boolean
}

/** The texts and next steps for failures that need more than the message of the service. */
function explained({ error, message, standing }: Refusal, isAct: boolean): Explained {
  const missing = shortageOf(error)
  switch (error.code) {
    case 'credits_exhausted':
      return isGuest()
        ? {
            title: missing ?? 'The credits of this guest key do not cover this call.',
            ...registering(
              `Register to get ${accountCredits}; the history of this key moves to the account. Previews stay free.`,
              'Previews stay free.',
            ),
          }
        : {
            title: missing ?? 'Your credits do not cover this call.',
            text: `Nothing was charged. The operator of this service grants credits. Previews stay free.`,
            link: ['#/account', 'See your credits'],
          }
    case 'guest_key_expired':
      return {
        title: 'This guest key has expired after 24 hours.',
        ...registering(
          `Register to keep a key and get ${accountCredits}${canBeGuest ? ', or take a new guest key' : ''}.`,
        ),
        isGuestOver: canBeGuest,
      }
    case 'api_key_invalid':
    case 'api_key_missing':
      return {
        title: message,
        text: 'The key was replaced, suspended or mistyped.',
        link: ['#/login', 'Log in or enter another key'],
        isGuestOver: canBeGuest,
      }
    case 'account_unverified':
      return { link: ['#/register', 'Enter the code from the mail'] }
    case 'guest_forbidden':
      return registering()
    case 'rate_limited':
    case 'too_many_attempts':
      return {
        // Not the message, which ends with the waiting time in seconds: the text has it in words.
        title: isUsedUp(error) ? `${usedUp(error)}.` : 'The limit is used up.',
        text: `You can try again ${inWords(standing.retryAfterSeconds ?? 60)}. Nothing was charged.`,
        retries: true,
      }
    case 'no_reply':
      return navigator.onLine
        ? {
            title: 'The service cannot be reached.',
            text: isAct
              ? 'It may be restarting. It may have done this before its reply was lost.'
              : 'It may be restarting. This page tries again by itself; a call that was already charged is not charged twice.',
            retries: true,
            isAutomatic: true,
          }
        : {
            title: 'This computer is offline.',
            text: isAct ? undefined : 'This page tries again once the connection is back.',
            retries: true,
            isAutomatic: true,
          }
    case 'overloaded':
    case 'unavailable':
      return { title: message, text: 'Nothing was charged.', retries: true, isAutomatic: true }
    default:
      return {}
  }
}

/** A short text about a balance that is too low; null: the failure has no numbers of it. */
function shortageOf({ at_least, balance, needed }: Refusal['error']): string | null {
  if (needed === undefined || balance === undefined) return null
  return `${at_least ? 'At least ' : ''}${plural(needed, 'credit')} needed, ${whole(balance)} left.`
}

const isUsedUp = (error: Partial<UsedUp>): error is UsedUp => error.counted !== undefined

/** `text` and a link to the registration; if that is closed, a message that says so, `otherwise`, and a link to the login. */
const registering = (text?: string, otherwise = ''): Explained =>
  canRegister
    ? { text, link: ['#/register', 'Register'] }
    : { text: `${CLOSED} ${otherwise}`, link: ['#/login', 'Log in'] }

function NewGuest({ onRetry }: Pick<ProblemProps, 'onRetry'>) {
  const start = async () => {
    if ((await becomeGuest()).success) onRetry?.()
  }
  return <QuietButton onClick={start}>Take a new guest key</QuietButton>
}

interface RetryProps {
  readonly seconds: number
  onRetry(isAutomatic?: boolean): void
  readonly isAutomatic: boolean
}

/** A button that counts down. Then it tries again by itself if `isAutomatic`, else it waits for a click. */
function Retry({ seconds, onRetry, isAutomatic }: RetryProps) {
  const [left, setLeft] = useState(seconds)
  useLayoutEffect(() => {
    if (!isAutomatic) return
    const online = () => onRetry()
    addEventListener('online', online)
    return () => removeEventListener('online', online)
  }, [])
  useEffect(() => {
    if (left <= 0) return isAutomatic ? onRetry(true) : undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const isWaiting = left > 0 && !isAutomatic
  return (
    <button
      type="button"
      class="quiet"
      aria-disabled={isWaiting ? 'true' : undefined}
      onClick={() => !isWaiting && onRetry()}
    >
      {left > 0 ? `Try again (${isWaiting ? inWords(left) : `${left} s`})` : 'Try again'}
    </button>
  )
}

/** The label of the field of a detail; a place within a field is shown as its path in the request. */
const placeOf = (path: string) => {
  if (/^\/\w+$/.test(path)) return `${labelOf(path.slice(1))} `
  return path === '' ? null : <code>{path} </code>
}

function inWords(seconds: number): string {
  if (seconds < 90) return `in ${seconds} second${seconds === 1 ? '' : 's'}`
  return seconds < 5400 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`
}
