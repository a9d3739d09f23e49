/** Parts that several pages of operators share. */
import type { ComponentChildren, TargetedEvent, TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { QuietButton } from '../console/buttons.tsx'
import { Loaded as LoadedReply, Turns, usePlaces } from '../console/loaded.tsx'
import { whole } from '../console/numbers.ts'
import { ProblemView } from '../console/problem-view.tsx'
import type { Detail, Refusal, Reply } from '../console/replies.ts'
import { saveText } from '../console/save.ts'
import { dateTime } from '../console/times.ts'
import { type CsvPage, type Query, sendForCsv, useReply, withQuery } from './service.ts'

export { Facts, Table, Tiles } from '../console/list-table.tsx'

interface LoadedProps<Data> {
  readonly reply: Reply<Data> | null
  readonly onRetry?: () => void
  children(data: Data): ComponentChildren
}

/** Shows the children once the reply is a success, and the problem if it is a failure. */
export const Loaded = <Data,>({ reply, onRetry, children }: LoadedProps<Data>) => (
  <LoadedReply reply={reply} problem={(refusal) => <Problem reply={refusal} onRetry={onRetry} />}>
    {children}
  </LoadedReply>
)

interface ProblemProps {
  readonly reply: Refusal
  readonly left?: readonly Detail[]
  readonly onRetry?: (() => void) | undefined
}

export const Problem = ({ reply, left = reply.error.details ?? [], onRetry }: ProblemProps) => (
  <ProblemView
    reply={reply}
    title={reply.message}
    details={left}
    detail={({ message, path }) => (
      <>
        <code>{path}</code> {message}
      </>
    )}
  >
    {onRetry && (
      <p class="actions">
        <QuietButton onClick={onRetry}>Try again</QuietButton>
      </p>
    )}
  </ProblemView>
)

interface FiltersProps {
  readonly label: string
  /** Gets the entries, without spaces around them. */
  onSubmit(text: (name: string) => string): void
  readonly children: ComponentChildren
}

/** The form above a list. */
export function Filters({ label, onSubmit, children }: FiltersProps) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    onSubmit((name) => String(given.get(name) ?? '').trim())
  }
  return (
    <form class="filters" aria-label={label} onSubmit={submit}>
      {children}
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  onChange?(event: TargetedEvent<HTMLSelectElement>): void
}

export const Choice = ({ label, choices, ...select }: ChoiceProps) => (
  <label>
    {label}{' '}
    <select {...select}>
      {choices.map(([value, text]) => (
        <option value={value}>{text}</option>
      ))}
    </select>
  </label>
)

interface SearchFieldProps {
  readonly label: string
  readonly name: string
  readonly value?: string | undefined
  readonly placeholder?: string
  readonly maxlength?: number
}

export const SearchField = ({ label, ...input }: SearchFieldProps) => (
  <label>
    {label} <input type="search" autocomplete="off" spellcheck={false} {...input} />
  </label>
)

interface PagedData {
  readonly next_cursor: string | null
}

interface PagedProps<Data> {
  readonly path: string
  readonly query?: Query
  readonly limit?: number
  /** The labels of the buttons to the neighbours of a page. */
  readonly turns?: readonly [string, string]
  /** Shows a page; `again` loads it again. */
  children(data: Data, again: () => void): ComponentChildren
}

/** A list, page by page. */
export function Paged<Data extends PagedData>(props: PagedProps<Data>) {
  const { path, query = {}, limit = 50, turns, children } = props
  const { places, turn } = usePlaces()
  const [reply, again] = useReply<Data>(withQuery(path, { ...query, limit, cursor: places.at(-1) }))
  return (
    <Loaded reply={reply} onRetry={again}>
      {(data) => (
        <>
          {children(data, again)}
          {(places.length > 1 || data.next_cursor !== null) && (
            <p class="actions">
              <Turns places={places} turn={turn} shown={reply} next={data.next_cursor} labels={turns} />
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

const MOST_SAVED_CHARACTERS = 50_000_000

interface SaveTableProps {
  readonly label: string
  readonly path: string
  readonly query: Query
  /** The name of the file. */
  readonly file: string
  /** The command that saves all rows. */
  readonly command: ComponentChildren
}

interface Saving {
  readonly isBusy?: boolean
  readonly isCut?: boolean
  readonly problem?: Refusal
}

/** A button that saves the rows of a list as CSV, up to a limit. */
export function SaveTable({ label, path, query, file, command }: SaveTableProps) {
  const [state, setState] = useState<Saving>({})
  const save = async () => {
    if (state.isBusy) return
    setState({ isBusy: true })
    let table = ''
    let cursor: string | null = ''
    while (cursor !== null && table.length < MOST_SAVED_CHARACTERS) {
      const reply: Reply<CsvPage> = await sendForCsv(
        withQuery(path, { ...query, format: 'csv', limit: 1000, cursor }),
      )
      if (!reply.success) return setState({ problem: reply })
      const { next, text } = reply.data
      table += table === '' ? text : text.slice(text.indexOf('\n') + 1)
      cursor = next
    }
    saveText(table, file, 'text/csv')
    setState({ isCut: cursor !== null })
  }
  return (
    <>
      <button type="button" class="quiet" aria-disabled={state.isBusy ? 'true' : undefined} onClick={save}>
        {state.isBusy ? 'Reading …' : label}
      </button>
      {state.isCut && (
        <span class="failed" role="status">
          Only the first 50 MB were saved: narrow the filter, or use {command}.
        </span>
      )}
      {state.problem && <Problem reply={state.problem} />}
    </>
  )
}

interface NamedAccount {
  readonly account_id: number
  readonly account_type?: string
  readonly email?: string | null
}

export const nameOf = ({ account_id, account_type, email }: NamedAccount): string =>
  email ?? `${account_type === 'guest' ? 'Guest' : 'Account'} ${account_id}`

export const AccountLink = ({ account }: { readonly account: NamedAccount }) => (
  <a href={`#/account/${account.account_id}`}>
    <Breakable text={nameOf(account)} />
  </a>
)

/** A text that may break after the signs of an address, a path or a code. */
export const Breakable = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/([@./_])/).map((part, index) => (
      <>
        {part}
        {index % 2 === 1 && <wbr />}
      </>
    ))}
  </>
)

interface CallLinkProps {
  /** The request id. */
  readonly id: string
  /** The id of the row, which no other call has. */
  readonly row?: string | null
}

export const CallLink = ({ id, row = id }: CallLinkProps) => (
  <a href={`#/call/${row}`}>
    <code>{id}</code>
  </a>
)

const STEPS: readonly (readonly [ms: number, word: string])[] = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
]

/** `3 hours ago`. */
export function ago(text: string): string {
  const ms = Date.now() - Date.parse(text)
  for (const [step, word] of STEPS) {
    const count = Math.floor(ms / step)
    if (count > 0) return `${count} ${word}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

/** The last use of an account, which is known to the hour. @param at the beginning of the hour; null: it was never used */
export const lastUse = (at: string | null): string =>
  at === null ? 'never' : Date.now() - Date.parse(at) < HOUR_MS ? 'in the last hour' : ago(at)

/** A time in the time zone of the browser; its tooltip has UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at.replace('T', ' ').slice(0, 19)} UTC`}>
    {dateTime(at)}
  </time>
)

/** A sentence of the service, whose times are shown in the time zone of the browser. */
export const Sentence = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/(\d{4}-\d\d-\d\dT[\d:.]+\d+Z)/)
      .map((part, index) => (index % 2 === 1 ? <Time at={part} /> : part))}
  </>
)

export const milliseconds = (value: number | null): string =>
  value === null ? '–' : value === 0 ? 'under 1 ms' : `${whole(value)} ms`

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value in words, such as `hour 7, day none`. */
export const inWords = (value: unknown): string =>
  value === null
    ? 'none'
    : Array.isArray(value)
      ? value.map(inWords).join('; ')
      : typeof value === 'object'
        ? Object.entries(value)
            .map(([name, one]) => `${name.replaceAll('_', ' ')} ${inWords(one)}`)
            .join(', ')
        : typeof value === 'string' && INSTANT.test(value)
          ? dateTime(value)
          : String(value)

/** A text such as `credits: 50,000` for each value that is neither null nor omitted. */
export const factsOf = (values: object, omitted: readonly string[] = []): string[] =>
  Object.entries(values)
    .filter(([name, value]) => value !== null && !omitted.includes(name))
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${/credits$/.test(name) && typeof value === 'number' ? whole(value) : inWords(value)}`,
    )
