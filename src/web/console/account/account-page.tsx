/** The frame of the account's pages, and their loading. */
import type { ComponentChildren } from 'preact'
import forms from '../forms.js'
import { Loaded as LoadedReply, useReloaded } from '../loaded.tsx'
import { canRegister } from '../offers.ts'
import { Problem } from '../problem.tsx'
import type { Reply } from '../replies.ts'
import { isTeamKey, send, useSession } from '../session.ts'
import { LogOut } from './log-out.tsx'

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
      <a class="button" href="#/login">
        Log in
      </a>{' '}
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
        <a class="button" href="#/history">
          History of this key
        </a>{' '}
        <a href="#/login">Log in</a>
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
