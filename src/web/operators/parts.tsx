/** Parts that several pages of operators share. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { whole } from '../console/numbers.ts'
import { saveText } from '../console/save.ts'
import { dateTime } from '../console/times.ts'
import { usePlaces } from '../console/use-places.ts'
import { send, useReply, withQuery } from './service.ts'

export { Table } from '../console/list-table.tsx'

/** Shows the children once the reply is a success, and the problem if it is a failure. */
export function Loaded({ reply, onRetry, children }) {
  if (reply === null)
    return (
      <p class="hint" role="status">
        Loading …
      </p>
    )
  return reply.success ? children(reply.data) : <Problem reply={reply} onRetry={onRetry} />
}

export const Problem = ({ reply, left = reply.error?.details ?? [], onRetry }) => (
  <div class="problem" role="alert">
    <p>
      <strong>{reply.message}</strong>
    </p>
    {left.length > 0 && (
      <ul>
        {left.map(({ message, path }) => (
          <li>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    )}
    {onRetry && (
      <p class="actions">
        <button type="button" class="quiet" onClick={onRetry}>
          Try again
        </button>
      </p>
    )}
    <p class="hint">
      {[reply.status || null, reply.error?.code, reply.error?.request_id].filter((part) => part).join(' · ')}
    </p>
  </div>
)

/** A list, page by page: `children(data, again)` shows a page; `turns` are the labels of the buttons to its neighbours. */
export function Paged({ path, query = {}, limit = 50, turns = ['Newer', 'Older'], children }) {
  const { places, turn } = usePlaces()
  const [reply, again] = useReply(withQuery(path, { ...query, limit, cursor: places.at(-1) }))
  const button = (text, isOff, next) => (
    <button
      type="button"
      class="small quiet"
      aria-disabled={isOff ? 'true' : undefined}
      onClick={() => !isOff && turn(reply, next)}
    >
      {text}
    </button>
  )
  return (
    <Loaded reply={reply} onRetry={again}>
      {(data) => (
        <>
          {children(data, again)}
          {(places.length > 1 || data.next_cursor !== null) && (
            <p class="actions">
              {button(turns[0], places.length === 1, places.slice(0, -1))}
              <span class="hint">Page {places.length}</span>
              {button(turns[1], data.next_cursor === null, [...places, data.next_cursor])}
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

const MOST_SAVED_CHARACTERS = 50_000_000

/** A button that saves the rows of a list as CSV, up to a limit. `command`: the command that saves all of them. */
export function SaveTable({ label, path, query, file, command }) {
  const [state, setState] = useState({})
  const save = async () => {
    if (state.isBusy) return
    setState({ isBusy: true })
    let table = ''
    let cursor = ''
    while (cursor !== null && table.length < MOST_SAVED_CHARACTERS) {
      const reply = await send(withQuery(path, { ...query, format: 'csv', limit: 1000, cursor }))
      if (!reply.success) return setState({ problem: reply })
      table += table === '' ? reply.text : reply.text.slice(reply.text.indexOf('\n') + 1)
      cursor = reply.next
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

export const nameOf = ({ account_id, account_type, email }) =>
  email ?? `${account_type === 'guest' ? 'Guest' : 'Account'} ${account_id}`

export const AccountLink = ({ account }) => <a href={`#/account/${account.account_id}`}>{nameOf(account)}</a>

export const Facts = ({ facts }) => (
  <dl class="values">
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const Tiles = ({ tiles }) => (
  <dl class="totals">
    {tiles.map(([label, value]) => (
      <div class="card">
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const STEPS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
]

/** `3 hours ago`. */
export function ago(text) {
  const ms = Date.now() - Date.parse(text)
  for (const [step, word] of STEPS) {
    const count = Math.floor(ms / step)
    if (count > 0) return `${count} ${word}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

/** A time in the time zone of the browser; its tooltip has UTC. */
export const Time = ({ at }) => (
  <time dateTime={at} title={at}>
    {dateTime(at)}
  </time>
)

export const milliseconds = (value) =>
  value === null ? '–' : value === 0 ? 'under 1 ms' : `${whole(value)} ms`

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value in words, such as `hour 7, day none`. */
export const inWords = (value) =>
  value === null
    ? 'none'
    : Array.isArray(value)
      ? value.map(inWords).join('; ')
      : typeof value === 'object'
        ? Object.entries(value)
            .map(([name, one]) => `${name.replaceAll('_', ' ')} ${inWords(one)}`)
            .join(', ')
        : INSTANT.test(value)
          ? dateTime(value)
          : String(value)

/** A text such as `credits: 50,000` for each value that is neither null nor omitted. */
export const factsOf = (values, omitted = []) =>
  Object.entries(values)
    .filter(([name, value]) => value !== null && !omitted.includes(name))
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${/credits$/.test(name) && typeof value === 'number' ? whole(value) : inWords(value)}`,
    )
