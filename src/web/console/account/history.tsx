/** The history of computations: filtered by the service, in pages. */
import type { TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { UserKeysData, UserUsageData } from '../../../../clients/typescript/types.ts'
import { DAY_MS, dayName } from '../../../base/time.ts'
import { LinkButton, SmallButton, Status } from '../buttons.tsx'
import forms from '../forms.js'
import { Turns, usePlaces } from '../loaded.tsx'
import { plural, whole } from '../numbers.ts'
import { canRegister } from '../offers.ts'
import { Problem } from '../problem.tsx'
import type { Refusal } from '../replies.ts'
import { csv, saveText } from '../save.ts'
import { isGuest, isTeamKey, send, useSession } from '../session.ts'
import { AccountPage, useReply } from './account-page.tsx'
import { type Call, CallsTable } from './calls-table.tsx'

const PAGE = 25
/** Rows in a saved file. */
const MOST_SAVED = 10_000
/** A page whose filter matches few calls is gathered from so many requests. */
const MOST_REQUESTS = 8
/** Between the last key and the request. */
const PAUSE_MS = 350

const STATUSES = [
  ['', 'All'],
  ['success', 'Success'],
  ['failure', 'Any failure'],
  ['400', '400 Not JSON'],
  ['413', '413 Too large'],
  ['422', '422 Invalid input'],
  ['500', '500 Internal error'],
  ['503', '503 Overloaded'],
]
const NO_FILTER = { path: '', status: '', key: '', from: '', until: '', request_id: '' }

/** The columns of a saved file. Calls of the account's own key have no name. */
const COLUMNS = [
  'at',
  'path',
  'status',
  'credits',
  'key_id',
  'key_name',
  'ip',
  'duration_ms',
  'request_id',
] as const satisfies readonly (keyof Call)[]

type Filter = Readonly<typeof NO_FILTER>

interface Gathered {
  readonly items: readonly Call[]
  /** The cursor of the calls after them; null: there are none. */
  readonly next: string | null
  /** The failure that ended the reading early. */
  readonly problem: Refusal | null
}

interface Shown extends Gathered {
  readonly isBusy: boolean
}

export default function History() {
  const { key } = useSession()
  return <AccountPage title="History">{key !== null && (isGuest() ? <ForGuests /> : <Calls />)}</AccountPage>
}

const ForGuests = () => (
  <div class="empty">
    <p>
      A guest key has no history by call; <a href="#/account">the overview</a> counts its calls by day and
      operation.
    </p>
    {canRegister && (
      <p class="actions centred">
        <LinkButton href="#/register">Register to keep one</LinkButton>
      </p>
    )}
  </div>
)

function Calls() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER)
  const { places, turn, restart } = usePlaces()
  const [state, setState] = useState<Shown>({ items: [], next: null, isBusy: true, problem: null })
  const [tries, setTries] = useState(0)
  const [teamKeys] = useReply<UserKeysData>(isTeamKey() ? null : '/user/keys')
  const keys = teamKeys?.success ? teamKeys.data.items : []

  useEffect(() => {
    let isCurrent = true
    setState((before) => ({ ...before, isBusy: true }))
    const timer = setTimeout(
      async () => {
        const got = await gathered(filter, places.at(-1) ?? null, PAGE)
        if (isCurrent) setState({ ...got, isBusy: false })
      },
      filter.request_id === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [filter, places, tries])

  const { items, next, isBusy, problem } = state
  const choose: FiltersProps['choose'] = (name) => (event) => {
    setFilter({ ...filter, [name]: event.currentTarget.value })
    restart(items)
  }
  const isFiltered = Object.values(filter).some((value) => value !== '')
  if (problem)
    return (
      <>
        <Filters filter={filter} keys={keys} choose={choose} />
        <Problem reply={problem} left={problem.error.details} onRetry={() => setTries(tries + 1)} />
      </>
    )
  if (items.length === 0 && !isBusy && !isFiltered)
    return (
      <div class="empty">
        <p>No computations yet: each call appears here with its time, charge and duration.</p>
        <p>
          <LinkButton href="#/pricing/bs/price">Compute a first price</LinkButton>
        </p>
      </div>
    )
  return (
    <>
      <Filters filter={filter} keys={keys} choose={choose} />
      <Status>{isBusy ? 'Loading …' : inWords(items, places.length, next)}</Status>
      {items.length === 0 ? (
        !isBusy && <p class="empty">No call matches this filter.</p>
      ) : (
        <CallsTable items={items} isBusy={isBusy} />
      )}
      <p class="actions">
        <Turns places={places} turn={turn} shown={items} next={next} />
        {items.length > 0 && <Save key={JSON.stringify(filter)} filter={filter} />}
      </p>
    </>
  )
}

const inWords = (items: readonly Call[], page: number, next: string | null) =>
  `${plural(items.length, 'call')}${page > 1 ? ' on this page' : ''}${next === null ? '' : '; older ones follow'}`

interface FiltersProps {
  readonly filter: Filter
  readonly keys: UserKeysData['items']
  choose(name: keyof Filter): (event: TargetedEvent<HTMLInputElement | HTMLSelectElement>) => void
}

const Filters = ({ filter, keys, choose }: FiltersProps) => (
  <form class="filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
    <label>
      Operation{' '}
      <select onChange={choose('path')} value={filter.path}>
        <option value="">All</option>
        {forms.map(({ path, title }) => (
          <option value={path}>{title}</option>
        ))}
      </select>
    </label>
    <label>
      Status{' '}
      <select onChange={choose('status')} value={filter.status}>
        {STATUSES.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
    {keys.length > 0 && (
      <label>
        Key{' '}
        <select onChange={choose('key')} value={filter.key}>
          <option value="">All</option>
          {keys.map(({ id, name }) => (
            <option value={id}>{name}</option>
          ))}
        </select>
      </label>
    )}
    <label>
      From (UTC) <input type="date" onInput={choose('from')} value={filter.from} />
    </label>
    <label>
      Until (UTC) <input type="date" onInput={choose('until')} value={filter.until} />
    </label>
    <label>
      Request ID{' '}
      <input
        type="search"
        onInput={choose('request_id')}
        value={filter.request_id}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  </form>
)

interface Saved extends Omit<Gathered, 'items'> {
  /** The calls in the file. */
  readonly saved: number
}

/** The calls of the filter, as CSV: all, or so many of the newest as is said; none where some could not be read. */
function Save({ filter }: { readonly filter: Filter }) {
  const [count, setCount] = useState<number | null>(null)
  const [{ problem, saved, next }, setDone] = useState<Saved>({ saved: 0, next: null, problem: null })
  const save = async () => {
    if (count !== null) return
    setCount(0)
    const { items, ...got } = await gathered(filter, null, MOST_SAVED, setCount)
    setCount(null)
    setDone({ ...got, saved: items.length })
    if (got.problem !== null || items.length === 0) return
    saveText(
      csv([COLUMNS, ...items.map((item) => COLUMNS.map((name) => item[name] ?? ''))]),
      'history.csv',
      'text/csv',
    )
  }
  return (
    <>
      <SmallButton onClick={save}>{count === null ? 'CSV' : `${whole(count)} calls …`}</SmallButton>
      {problem !== null && <Problem reply={problem} onRetry={save} />}
      {problem === null && next !== null && (
        <span class="failed" role="status">
          Only the newest {plural(saved, 'call')} were saved: narrow the filter for the older ones.
        </span>
      )}
    </>
  )
}

const dayAfter = (day: string) => (day === '' ? '' : dayName(Date.parse(day) + DAY_MS))

/** Up to `wanted` calls that match, from as many requests as that takes. */
async function gathered(
  filter: Filter,
  cursor: string | null,
  wanted: number,
  onProgress?: (count: number) => void,
): Promise<Gathered> {
  const items: Call[] = []
  let next = cursor
  for (let requests = 0; requests < Math.max(MOST_REQUESTS, wanted / 1000); requests++) {
    const { until, ...others } = filter
    const query = new URLSearchParams(
      Object.entries({
        ...others,
        to: dayAfter(until),
        limit: Math.min(1000, wanted - items.length),
        cursor: next ?? '',
      })
        .map(([name, value]) => [name, String(value).trim()])
        .filter(([, value]) => value !== ''),
    )
    const reply = await send<UserUsageData>(`/user/usage?${query}`)
    if (!reply.success) return { items, next, problem: reply }
    items.push(...reply.data.items)
    next = reply.data.next_cursor
    onProgress?.(items.length)
    if (next === null || items.length >= wanted) break
  }
  return { items, next, problem: null }
}
