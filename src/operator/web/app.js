/** The page of operators: the login, then a page for each address after #. */
import { html, render, useEffect, useState } from '../../console/web/html.js'
import { SkipLink, useFocusedMain, useHash, useTitle } from '../../console/web/page.js'
import Account from './account.js'
import Approvals from './approvals.js'
import Audit from './audit.js'
import Costs from './costs.js'
import Credits from './credits.js'
import Deliveries from './deliveries.js'
import Found from './find.js'
import { LogIn, LogInAgain } from './log-in.js'
import Overview from './overview.js'
import Plan from './plan.js'
import { hold, send, useSession } from './service.js'
import Tokens from './tokens.js'

/** For each beginning of an address, its name in the menu (null: not in it) and its page. */
const PAGES = [
  ['#/account/', null, Account],
  ['#/find', null, Found],
  ['#/credits', 'Credits', Credits],
  ['#/costs', 'Costs', Costs],
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
    send('session').then((reply) => {
      hold(reply.success ? reply.data : null)
      setAsked(true)
    })
  }, [])
  const [address] = hash.split('?')
  const page = PAGES.find(([start]) => address.startsWith(start))
  return html`<${SkipLink} main=${main} />
  <${Header} address=${address} session=${session} />
  <div class="columns single"><main id="main" class="account" tabindex="-1" ref=${main}>
    ${
      !isAsked
        ? html`<p class="hint">Loading …</p>`
        : session === null
          ? html`<${LogIn} />`
          : page === undefined
            ? html`<${Overview} />`
            : html`<${page[2]} key=${hash} hash=${hash} />`
    }
    ${session?.hasEnded && html`<${LogInAgain} />`}
  </main></div>`
}

function Header({ address, session }) {
  const current = (isCurrent) => (isCurrent ? 'page' : undefined)
  const leave = async () => {
    const reply = await send('session/end', {})
    hold(null)
    if (reply.success && reply.data.sign_out !== null) location.assign(reply.data.sign_out)
  }
  return html`<header class="bar">
    <a class="brand" href="#/">quantd <span class="tag">operators</span></a>
    ${
      session !== null &&
      html`
        <nav aria-label="Pages">
          <a href="#/" aria-current=${current(address === '#/')}>Overview</a>
          ${PAGES.filter(([, name]) => name !== null).map(
            ([start, name]) => html`<a
              href=${start}
              aria-current=${current(address.startsWith(start))}
            >
              ${name}
            </a>`,
          )}
        </nav>
        <${Find} />
        <span class="who">
          ${session.name} <span class="tag">${session.role}</span> <button
            type="button"
            class="small quiet"
            onClick=${leave}
          >
            Log out
          </button>
        </span>
      `
    }
  </header>`
}

function Find() {
  const go = (event) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('q').trim()
    if (text !== '') location.hash = `#/find?q=${encodeURIComponent(text)}`
  }
  return html`<form class="find" role="search" onSubmit=${go}>
    <input
      type="search"
      name="q"
      aria-label="Find an account"
      placeholder="E-mail, key, request ID"
      autocomplete="off"
      spellcheck=${false}
      maxlength="254"
    />
  </form>`
}

const place = document.querySelector('#app')
place.replaceChildren()
render(html`<${App} />`, place)
