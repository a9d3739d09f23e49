/** The page of operators: the login, then a page for each address after #. */
import { type ComponentType, render, type TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApprovalsData } from '../../../clients/typescript/operator-acts.ts'
import { SmallButton } from '../console/buttons.tsx'
import { useLoaded } from '../console/loaded.tsx'
import { SkipLink, useFocusedMain, useHash, useTitle } from '../console/page.tsx'
import Account from './account.tsx'
import Accounts from './accounts.tsx'
import Approvals from './approvals.tsx'
import Audit from './audit.tsx'
import Costs from './costs.tsx'
import Credits from './credits.tsx'
import Deliveries from './deliveries.tsx'
import { LogIn, LogInAgain } from './log-in.tsx'
import Overview from './overview.tsx'
import Plan from './plan.tsx'
import { Call } from './requests.tsx'
import { hold, type Session, send, useActs, useSession, withQuery } from './service.ts'
import StatementPage from './statement.tsx'
import Tokens from './tokens.tsx'

type Page = ComponentType<{ readonly hash: string }>

/** For each beginning of an address, its name in the menu (null: not in it) and its page. */
const PAGES: readonly (readonly [start: string, name: string | null, page: Page])[] = [
  ['#/account/', null, Account],
  ['#/accounts', 'Accounts', Accounts],
  ['#/call/', null, Call],
  ['#/credits', 'Credits', Credits],
  ['#/costs', 'Costs', Costs],
  ['#/statement', null, StatementPage],
  ['#/plan', 'Plan', Plan],
  ['#/deliveries', 'Deliveries', Deliveries],
  ['#/approvals', 'Approvals', Approvals],
  ['#/audit', 'Audit', Audit],
  ['#/tokens', 'Tokens', Tokens],
]

function App() {
  const session = useSession()
  const hash = useHash()
  const main = useFocusedMain(hash)
  useTitle(main, 'quantd operators')
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    send<Session>('session').then((reply) => {
      hold(reply.success ? reply.data : null)
      setAsked(true)
    })
  }, [])
  const [address = ''] = hash.split('?')
  const Page = PAGES.find(([start]) => address.startsWith(start))?.[2]
  return (
    <>
      <SkipLink main={main} />
      <Header address={address} session={session} />
      <div class="columns single">
        <main id="main" class="account" tabindex={-1} ref={main}>
          {!isAsked ? (
            <p class="hint">Loading …</p>
          ) : session === null ? (
            <LogIn />
          ) : Page === undefined ? (
            <Overview />
          ) : (
            <Page key={hash} hash={hash} />
          )}
          {session?.hasEnded && <LogInAgain />}
        </main>
      </div>
    </>
  )
}

interface HeaderProps {
  readonly address: string
  readonly session: Session | null
}

function Header({ address, session }: HeaderProps) {
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined)
  const leave = async () => {
    const reply = await send<{ readonly sign_out: string | null }>('session/end', {})
    hold(null)
    if (reply.success && reply.data.sign_out !== null) location.assign(reply.data.sign_out)
  }
  return (
    <header class="bar">
      <a class="brand" href="#/">
        quantd <span class="tag">operators</span>
      </a>
      {session !== null && (
        <>
          <nav aria-label="Pages">
            <a href="#/" aria-current={current(address === '#/')}>
              Overview
            </a>
            {PAGES.filter(([, name]) => name !== null).map(([start, name]) => (
              <a href={start} aria-current={current(address.startsWith(start))}>
                {name}
                {name === 'Approvals' && <Waiting address={address} />}
              </a>
            ))}
          </nav>
          <Find />
          <span class="who">
            {session.name} <span class="tag">{session.role}</span>{' '}
            <SmallButton onClick={leave}>Log out</SmallButton>
          </span>
        </>
      )}
    </header>
  )
}

/** The number of acts that wait for a second person, as it was when the page was opened or has done something. */
function Waiting({ address }: { readonly address: string }) {
  const path = withQuery('v1/approvals', { state: 'waiting', limit: MOST_COUNTED })
  const reply = useLoaded(() => send<ApprovalsData>(path), [address, useActs()])
  const count = reply?.success ? reply.data.items.length : 0
  if (count === 0) return null
  return (
    <>
      {' '}
      <span class="badge">
        {count}
        {count === MOST_COUNTED && '+'}
        <span class="unseen"> waiting</span>
      </span>
    </>
  )
}

const MOST_COUNTED = 99

/** The form of request ids that the service makes. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function Find() {
  const go = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('q') as string
    const q = text.trim()
    if (q !== '') location.hash = UUID.test(q) ? `#/call/${q}` : withQuery('#/accounts', { q })
  }
  return (
    <form class="find" role="search" onSubmit={go}>
      <input
        type="search"
        name="q"
        aria-label="Find an account or a call"
        placeholder="Account, key or call"
        autocomplete="off"
        spellcheck={false}
        maxlength={254}
      />
    </form>
  )
}

const place = document.querySelector('#app')!
place.replaceChildren()
render(<App />, place)
