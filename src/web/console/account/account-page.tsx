/** The frame of the account's pages, and their loading. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import forms from '../forms.js'
import { canRegister } from '../offers.ts'
import { Problem } from '../problem.tsx'
import { isTeamKey, send, useSession } from '../session.ts'
import { useLoaded } from '../use-loaded.ts'
import { LogOut } from './log-out.tsx'

const pages = [
  ['#/account', 'Overview'],
  ['#/history', 'History'],
  ['#/keys', 'Team keys'],
  ['#/security', 'Key and security'],
]

export function AccountPage({ title, children }) {
  const { key } = useSession()
  return (
    <div class="account">
      <h1>{title}</h1>
      {key === null ? (
        <NoKey />
      ) : isTeamKey() && location.hash !== '#/history' ? (
        <OfTeam />
      ) : (
        <>
          <nav class="pages" aria-label="Account">
            {pages
              .filter(([href]) => !isTeamKey() || href === '#/history')
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
    <p>No key is in use in this tab.</p>
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
export function useReply(path) {
  const { key } = useSession()
  const [tries, setTries] = useState(0)
  const reply = useLoaded(() => (key === null ? null : send(path)), [key?.apiKey, path, tries])
  return [reply, () => setTries((count) => count + 1)]
}

/** The children once the reply is a success, else its problem. */
export function Loaded({ reply, onRetry, children }) {
  if (reply === null) return <p class="hint">Loading …</p>
  return reply.success ? (
    children(reply.data)
  ) : (
    <Problem reply={reply} left={reply.error?.details ?? []} onRetry={onRetry} />
  )
}

/** Of an operation, by its path. */
export const titleOf = (path) => forms.find((form) => form.path === path)?.title ?? path
