/** The search over computations, pages of accounts and documents, and the miniatures of computations; loaded after the first page. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SearchEntry } from '../../derive/search-index.ts'
import { Status } from './buttons.tsx'
import forms from './forms.js'
import { FILE_PAGE } from './handed-file.ts'
import { addressOfPage } from './link.ts'
import { plural } from './numbers.ts'
import { matches, type Searched, wordsIn } from './search-score.ts'

interface Place extends Searched {
  readonly kind: string
  readonly address: string
}

const page = (title: string, address: string, text: string): Place => ({ title, address, text, kind: 'page' })

/** The places of the console: its computations first. */
const OWN: readonly Place[] = [
  ...forms.map(({ path, title, summary }) => ({
    title: path.endsWith('/columns') ? title.replace(/ of columns$/, ': many rows') : title,
    text: `${summary} ${path}`,
    kind: 'computation',
    address: addressOfPage(path),
  })),
  page('Your file', FILE_PAGE, 'drop choose paste table CSV XLSX Parquet Arrow JSON'),
  page('Account', '#/account', 'credits limits usage plan key'),
  page('Team keys', '#/keys', 'further keys caps rotate revoke'),
  page('History', '#/history', 'calls receipts charges CSV'),
  page('Security', '#/security', 'password second factor recovery codes log in'),
  page('Kept runs', '#/runs', 'saved results compare'),
  page('Log in', '#/login', 'key password sign on'),
  page('Register', '#/register', 'new account e-mail'),
  page('Reference', '/docs', 'endpoints documents guides'),
]

const MOST = 30

/** The documents, which are asked for once. */
let documents: Promise<readonly Place[]> | undefined

const documentsOf = (): Promise<readonly Place[]> =>
  (documents ??= fetch('/assets/search.json')
    .then((response) => response.json() as Promise<SearchEntry[]>)
    .then((entries) =>
      entries.map((entry) => (entry.kind === 'computation' ? { ...entry, kind: 'reference' } : entry)),
    )
    .catch(() => {
      documents = undefined
      return []
    }))

export function Search({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [others, setOthers] = useState<readonly Place[]>([])
  useLayoutEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    // Closed, it gives the focus back.
    return () => shown.close()
  }, [])
  useEffect(() => {
    documentsOf().then(setOthers)
  }, [])
  const words = wordsIn(text)
  const found =
    words.length === 0
      ? OWN.filter(({ address }) => !address.endsWith('/columns'))
      : [...matches(OWN, words), ...matches(others, words)].slice(0, MOST)
  const go = ({ address }: Place) => {
    onClose()
    location.assign(address)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length)
    else if (event.key === 'Enter' && found[at] !== undefined) go(found[at])
    else return
    event.preventDefault()
  }
  return (
    // The event of a closed dialog comes up to a frame later, when the search may be open again.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog
    <dialog
      class="search"
      aria-label="Search"
      ref={dialog}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => dialog.current !== null && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search computations, documents and pages"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls="search-results"
        aria-activedescendant={found.length > 0 ? `search-${at}` : undefined}
        placeholder="Computations, documents, pages …"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      <Results found={found} at={at} onGo={go} />
      <Status>
        {words.length === 0
          ? ''
          : found.length === 0
            ? `No results for “${text.trim()}”.`
            : plural(found.length, 'result')}
      </Status>
    </dialog>
  )
}

interface ResultsProps {
  readonly found: readonly Place[]
  readonly at: number
  onGo(place: Place): void
}

function Results({ found, at, onGo }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, found.length])
  return (
    <div id="search-results" class="found" role="listbox" aria-label="Results" ref={list}>
      {found.map((place, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        <div
          key={place.address + place.title}
          id={`search-${i}`}
          role="option"
          tabindex={-1}
          aria-selected={i === at}
          onClick={() => onGo(place)}
        >
          <span>{place.title}</span> <span class="hint">{place.kind}</span>
        </div>
      ))}
    </div>
  )
}

/** The line of each kind of computation in a box of 48 × 28, by the end of its path; the first that fits. */
const MINIATURES: readonly (readonly [end: RegExp, path: string])[] = [
  [/boundary$/, 'M3 5C16 7 34 11 45 24M3 24H45'],
  [/implied-volatility$/, 'M3 7C14 24 30 24 45 9M10 15h.01M24 20h.01M38 14h.01'],
  [/calibrate$/, 'M3 5C14 18 30 20 45 11M3 10C14 24 30 26 45 17'],
  [/greeks$/, 'M3 24C18 24 17 5 24 5S30 24 45 24'],
  [/price$/, 'M3 24C20 24 26 20 45 4M3 24H25L45 7'],
  [/derivative$/, 'M3 24C20 24 34 16 45 3M12 25L44 9'],
  [/log$/, 'M3 26C5 10 20 6 45 4'],
  [/shannon$/, 'M7 25V6M16 25V12M25 25V17M34 25V20M43 25V22'],
  [/discrimination$/, 'M4 25C5 8 16 4 45 3M4 25L45 3'],
  [/validation$/, 'M4 25L45 3M8 23L18 16L28 13L40 4'],
  [/stability$/, 'M6 25V14M10 25V10M19 25V6M23 25V9M32 25V10M36 25V5M44 25V18'],
  [/generator$/, 'M3 25C15 24 30 20 45 14M3 25C12 18 26 10 45 5'],
  [/migration$/, 'M6 4h8v6h-8zM20 11h8v6h-8zM34 18h8v6h-8zM20 4h8M34 11h8M6 17h8'],
  [/history$/, 'M3 6H14V13H25V9H34V22H45'],
  [/outliers$/, 'M6 20h.01M12 17h.01M17 21h.01M22 18h.01M27 20h.01M32 17h.01M14 22h.01M41 5h.01'],
  [/forest|fit$|score$/, 'M24 3V10M24 10L12 16M24 10L36 16M12 16L6 25M12 16L18 25M36 16L42 25'],
  [/./, 'M5 6H43M5 14H43M5 22H43'],
]

/** The miniature of a computation. */
export const Miniature = ({ path }: { readonly path: string }) => (
  <svg viewBox="0 0 48 28" aria-hidden="true">
    <path d={MINIATURES.find(([end]) => end.test(path))![1]} />
  </svg>
)
