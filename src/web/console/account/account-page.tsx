/** The frame of the account's pages, their loading, and the parts that several of them show. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { LinkButton, QuietButton } from '../buttons.tsx'
import forms from '../forms.js'
import { Loaded as LoadedReply, useReloaded } from '../loaded.tsx'
import { canRegister } from '../offers.ts'
import { Problem } from '../problem.tsx'
import type { Reply } from '../replies.ts'
import { owner, removeOwnRuns } from '../runs/own-runs.ts'
import { hold, isGuest, isTeamKey, send, useSession } from '../session.ts'
import { dateTime } from '../times.ts'

const pages = [
  ['#/account', 'Overview'],
  ['#/history', 'History'],
  ['#/runs', 'Runs'],
  ['#/keys', 'Team keys'],
  ['#/security', 'Key and security'],
]

/** The pages of a team key. */
const OF_TEAM = ['#/history', '#/runs']

interface AccountPageProps {
  readonly title: string
  readonly children: ComponentChildren
}

export function AccountPage({ title, children }: AccountPageProps) {
  const { key } = useSession()
  return (
    <div class="account">
      <h1>{title}</h1>
      {key === null ? (
        <NoKey />
      ) : isTeamKey() && !OF_TEAM.includes(location.hash) ? (
        <OfTeam />
      ) : (
        <>
          <nav class="pages" aria-label="Account">
            {pages
              .filter(([href]) => !isTeamKey() || OF_TEAM.includes(href))
              .map(([href, text]) => (
                <a href={href} aria-current={location.hash === href ? 'page' : undefined}>
                  {text}
                </a>
              ))}
          </nav>
          {children}
        </>
      )}
    </div>
  )
}

const NoKey = () => (
  <div class="empty">
    <p>No key is in use.</p>
    <p class="actions centred">
      <LinkButton href="#/login">Log in</LinkButton>{' '}
      {canRegister && <a href="#/register">Create an account</a>}
    </p>
  </div>
)

const OfTeam = () => (
  <>
    <div class="empty">
      <p>
        A team key computes, and has the history of its own calls. The account’s own key manages the account.
      </p>
      <p class="actions centred">
        <LinkButton href="#/history">History of this key</LinkButton> <a href="#/login">Log in</a>
      </p>
    </div>
    <div class="cards">
      <LogOut />
    </div>
  </>
)

/** The reply of a GET: null while it loads; renewed when the key changes. */
/** @param path null: nothing is read */
export function useReply<Data>(path: string | null) {
  const { key } = useSession()
  return useReloaded(() => (key === null || path === null ? null : send<Data>(path)), [key?.apiKey, path])
}

interface LoadedProps<Data> {
  readonly reply: Reply<Data> | null
  onRetry(): void
  children(data: Data): ComponentChildren
}

export const Loaded = <Data,>({ reply, onRetry, children }: LoadedProps<Data>) => (
  <LoadedReply
    reply={reply}
    problem={(refusal) => <Problem reply={refusal} left={refusal.error.details} onRetry={onRetry} />}
  >
    {children}
  </LoadedReply>
)

/** Of an operation, by its path. */
export const titleOf = (path: string): string => forms.find((form) => form.path === path)?.title ?? path

export function LogOut() {
  const { key } = useSession()
  const [isCleared, setCleared] = useState(isGuest())
  const leave = async () => {
    if (isCleared) await removeOwnRuns(await owner())
    hold(null)
    if (key?.isSignedOn) location.assign('/user/sign-on/end')
    else location.hash = '#/'
  }
  return (
    <section class="card">
      <h2>This browser</h2>
      <p>
        {key?.until
          ? `The key is stored for all tabs of this browser until ${dateTime(key.until)}. Log out removes it from all of them.`
          : 'The key is stored in this tab only. Closing the tab removes it too.'}
        {isGuest() && ' A guest key that you have not copied is lost with it.'}
        {key?.isSignedOn && ' Log out ends your session at the provider too, which asks you first.'}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isCleared}
          onChange={(event) => setCleared(event.currentTarget.checked)}
        />{' '}
        Also delete the runs that this browser keeps
      </label>
      <p class="actions">
        <QuietButton onClick={leave}>Log out</QuietButton>
      </p>
    </section>
  )
}

interface MeterProps {
  /** Unlike others of the page. */
  readonly id: string
  readonly used: number
  readonly limit: number
  /** The sentence that tells the use. */
  readonly children: ComponentChildren
}

export const Meter = ({ id, used, limit, children }: MeterProps) => (
  <>
    <p id={id}>{children}</p>
    <div
      class={`spent ${used >= limit ? 'full' : ''}`}
      role="meter"
      aria-labelledby={id}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <div style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
    </div>
  </>
)
