/** The console: pages by the address after #, the list of operations, and the key's standing in the header. */
import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { Button, Status } from './buttons.tsx'
import forms from './forms.js'
import { FILE_PAGE, handOver } from './handed-file.ts'
import Home, { type Area } from './home.tsx'
import { isOfPresentPeriod } from './kept-entries.ts'
import { addressOfPage as address, valuesIn } from './link.ts'
import { plural } from './numbers.ts'
import { moduleOf, scriptOf } from './operations/index.ts'
import { Offline, SkipLink, useFocusedMain, useTitle, useVisit } from './page.tsx'
import { all, LOST, load, loaded, loadedSearch, type Scripts, scriptsFor } from './scripts.ts'
import { isTeamKey, send, useSession } from './session.ts'
import { useDrop } from './use-drop.ts'

type ScriptName = keyof Scripts

const FIRST = forms.find(({ path }) => path === '/quantlib/pricing/bs/price') ?? forms[0]

/** The operations without their columns, to which the page of each operation leads. */
const operations = forms.filter(({ path }) => !path.endsWith('/columns'))
/** Groups operations by model, with the price of each model first. */
const ordered = (some: readonly Form[]): Form[] =>
  [...Map.groupBy(some, ({ path }) => path.slice(0, path.lastIndexOf('/'))).values()].flatMap((own) =>
    own.toSorted((a, b) => Number(b.path.endsWith('/price')) - Number(a.path.endsWith('/price'))),
  )
/** The areas and the links to their operations. */
const AREAS: readonly Area[] = [...Map.groupBy(operations, ({ area }) => area)].map(([area, some]) => [
  area,
  ordered(some).map(({ path, title, summary }) => ({
    href: address(path),
    title,
    line: summary.split(/ \(|[:;,.](?:\s|$)/)[0],
  })),
])

/** Loads the scripts of a page, then all others, so that every page opens offline later. Renders again after each. */
function useScripts(first: readonly ScriptName[]) {
  const [, setCount] = useState(0)
  const loadEach = (names: readonly ScriptName[]) =>
    Promise.all(names.map((name) => load(name).then(() => setCount((count) => count + 1))))
  useEffect(() => {
    loadEach(first).then(() => loadEach(all.filter((name) => !first.includes(name))))
  }, [])
  return first.map((name) => loaded[name])
}

function App() {
  const visit = useVisit()
  const [route, query = ''] = visit.hash.split('?')
  const [isSearching, setSearching] = useState(false)
  useSearchKey(() => setSearching(true))
  const Search = isSearching ? loadedSearch()?.Search : undefined
  const form = forms.find(({ path }) => address(path) === route)
  const main = useFocusedMain(visit.number)
  const scripts = useScripts(scriptsFor(route))
  const isWaiting = scripts.some((script) => script === undefined || script === LOST)
  useStanding()
  useDrop({
    file: (file) => handOver({ file }, FILE_PAGE),
    text: (text) => handOver({ text }, FILE_PAGE),
  })
  useTitle(main, 'quantd')
  const page = isWaiting ? (
    <Waiting isLost={scripts.includes(LOST)} />
  ) : (
    (pageOf({ visit: visit.number, route, form, query }) ?? (
      <Home address={address(FIRST.path)} areas={AREAS} />
    ))
  )
  return (
    <>
      <SkipLink main={main} />
      <Header route={route} isForm={form !== undefined} onSearch={() => setSearching(true)} />
      {Search && <Search onClose={() => setSearching(false)} />}
      <Offline />
      <div class={form ? 'columns' : 'columns single'}>
        {form && <Side route={route} />}
        <main id="main" tabindex={-1} ref={main}>
          {page}
        </main>
      </div>
    </>
  )
}

interface Address {
  readonly visit: number
  readonly route: string
  readonly form: Form | undefined
  readonly query: string
}

/** The page that the address names; undefined: the first page. */
function pageOf({ visit, route, form, query }: Address) {
  if (form) {
    const { default: OperationPage } = loaded['operation-page'] as Scripts['operation-page']
    const path = form.path.replace('/quantlib/', '')
    const script = loaded[scriptOf(path)] as Scripts['tables']
    return (
      <OperationPage
        key={visit}
        form={form}
        operation={script.operations[moduleOf(path)]}
        operations={script.operations}
        tables={script}
        {...valuesIn(form, isOfPresentPeriod(history.state) ? query : '')}
      />
    )
  }
  if (route === FILE_PAGE) {
    const { FilePage, operations } = loaded.tables as Scripts['tables']
    return <FilePage operations={operations} />
  }
  const pages = loaded['account-pages']
  const Account = pages !== undefined && 'default' in pages ? pages.default[route] : undefined
  return Account && <Account key={visit} />
}

/** Shown while the script of a page is loaded, or if it cannot be loaded. */
const Waiting = ({ isLost }: { readonly isLost: boolean }) =>
  isLost ? (
    <>
      <h1>This page could not be loaded</h1>
      <p>
        <Button onClick={() => location.reload()}>Try again</Button>
      </p>
    </>
  ) : (
    <Status>Loading …</Status>
  )

/** Calls `open` when Ctrl or ⌘ and K are pressed. */
function useSearchKey(open: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

interface HeaderProps {
  readonly route: string
  readonly isForm: boolean
  onSearch(): void
}

function Header({ route, isForm, onSearch }: HeaderProps) {
  const { key, isGuest, credits } = useSession()
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined)
  const holder = isGuest ? 'Guest' : isTeamKey() ? 'Team key' : (key?.name ?? 'Account')
  const standing =
    key === null ? (
      'Log in'
    ) : (
      <>
        <span>{holder}</span>
        {credits !== null && ` · ${plural(credits, 'credit')}`}
      </>
    )
  const home = key === null ? '#/login' : '#/account'
  return (
    <header class="bar">
      <a class="brand" href="#/">
        quantd
      </a>
      <nav aria-label="Pages">
        <a href={address(FIRST.path)} aria-current={current(isForm)}>
          Console
        </a>
        <a
          href="#/account"
          aria-current={current(['#/account', '#/keys', '#/security', '#/history', '#/runs'].includes(route))}
        >
          Account
        </a>
        <a href="/docs">Reference</a>
      </nav>
      <button type="button" class="small quiet find" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        Search <kbd>Ctrl K</kbd>
      </button>
      <a class="standing" href={home} id="standing">
        {standing}
      </a>
    </header>
  )
}

/** The list of operations by area; on narrow screens it is a menu that opens. */
function Side({ route }: { readonly route: string }) {
  const [isOpen, setOpen] = useState(false)
  const current = forms.find(({ path }) => address(path) === route)
  const side = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    setOpen(false)
    // The list may be higher than the window, so the present operation is scrolled into view.
    const nav = side.current!
    const link = nav.querySelector<HTMLElement>('[aria-current]')
    if (link === null) return
    const isBelow = link.offsetTop + link.offsetHeight > nav.scrollTop + nav.clientHeight
    if (isBelow || link.offsetTop < nav.scrollTop) nav.scrollTop = link.offsetTop - nav.clientHeight / 2
  }, [route])
  return (
    <nav class="side" aria-label="Computations" ref={side}>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="operations"
        onClick={() => setOpen(!isOpen)}
      >
        <span>{current?.title}</span> <span class="hint">all computations</span>
      </button>
      <div id="operations" class={isOpen ? 'open' : ''}>
        {AREAS.map(([area, links]) => (
          <>
            <h2>{area}</h2>
            <ul>
              {links.map(({ href, title }) => (
                <li>
                  <a href={href} aria-current={href === route.replace(/\/columns$/, '') ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
      </div>
    </nav>
  )
}

/** Requests the credits of a newly entered key once, because only replies report them. */
let known: string | null = null
function useStanding() {
  const { key: held, credits } = useSession()
  useEffect(() => {
    if (held === null || credits !== null || known === held.apiKey) return
    known = held.apiKey
    send('/user/credits')
  }, [held, credits])
}

// Renders in a task of its own, so that the browser can handle input after the evaluation of the scripts.
setTimeout(() => {
  const root = document.querySelector('#app')!
  // Removes the text that says that the page is loading.
  root.replaceChildren()
  render(<App />, root)
})
