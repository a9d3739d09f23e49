/** The key in use, its standing, the function that sends requests, and the inputs of the calls of this tab. */
import { DAY_MS } from '../../base/time.ts'
import { forgetEntries } from './kept-entries.ts'
import { addressOf } from './link.ts'
import { observable } from './observable.ts'
import {
  CANCELLED,
  envelope,
  exchange,
  NO_REPLY,
  type Reply,
  type Standing,
  type WorkerOutcome,
} from './replies.ts'
import { browserStorage, tabStorage } from './tab-storage.ts'

/** A key as the page holds it. */
interface HeldKey {
  readonly apiKey: string
  readonly expiresAt: string | null
  /** That of the account; null: not known yet. */
  readonly name: string | null
  /** Whether the owner signed on at a provider. */
  readonly isSignedOn: boolean
  /** Until when the browser stores the key for all of its tabs; null: it is stored only until the tab is closed. */
  readonly until: string | null
}

const STORED = 'quantd-key'
const { notify, useChanges } = observable()

/** The stored key; null: there is none, or its time is over. */
function stored(text: string | null): HeldKey | null {
  const found: HeldKey | null = JSON.parse(text ?? 'null')
  return found?.until && Date.parse(found.until) <= Date.now() ? null : found
}

let held = stored(tabStorage.getItem(STORED)) ?? stored(browserStorage.getItem(STORED))

/** The key in use, or null. */
export const key = () => held

/** A person who stays signed in does so for this long. */
const STAY_MS = 30 * DAY_MS
export const staying = (): string => new Date(Date.now() + STAY_MS).toISOString()

export const isGuest = () => held?.apiKey.startsWith('qd_guest_') ?? false

/** Whether the key is a team key, which can call computations but not manage the account. */
export const isTeamKey = () => held?.apiKey.startsWith('qd_team_') ?? false

interface KeyStanding {
  credits: number | null
  windows: Standing['windows']
}

/** The credits and windows that the latest reply has reported; null: unknown. */
export const standing: KeyStanding = { credits: null, windows: [] }

interface KeyFacts extends Partial<Omit<HeldKey, 'apiKey'>> {
  readonly credits?: number | null
}

/** Uses and stores a key; null forgets it in all tabs that use it, and what was entered. */
export function hold(apiKey: string | null, { credits = null, ...facts }: KeyFacts = {}): void {
  const before = held
  const next = { expiresAt: null, name: null, isSignedOn: false, until: null, ...facts }
  take(apiKey === null ? null : { apiKey, ...next }, credits)
  if (held === null && before !== null) forgetInBrowser(before.apiKey)
}

/** Removes a key that the browser stores for all tabs. */
export function forgetInBrowser(apiKey: string): void {
  if (stored(browserStorage.getItem(STORED))?.apiKey === apiKey) browserStorage.removeItem(STORED)
}

function take(next: HeldKey | null, credits: number | null): void {
  held = next
  if (held === null) {
    for (const stored of [STORED, STORED_CALLS]) tabStorage.removeItem(stored)
    forgetEntries()
  } else store(held)
  Object.assign(standing, { credits, windows: [] })
  notify()
}

function store(key: HeldKey): void {
  const text = JSON.stringify(key)
  tabStorage.setItem(STORED, text)
  if (key.until !== null) browserStorage.setItem(STORED, text)
}

/** Another tab has stored, replaced or forgotten the key of the browser: the tabs that use it follow, and those without a key. */
addEventListener('storage', ({ key, newValue, oldValue }) => {
  if (key !== STORED || (held !== null && held.apiKey !== stored(oldValue)?.apiKey)) return
  const next = stored(newValue)
  if (next?.apiKey !== held?.apiKey) take(next, null)
})

/** Stores the name of the account to which the key belongs. */
export function name(text: string): void {
  if (held === null || held.name === text) return
  held = { ...held, name: text }
  store(held)
  notify()
}

/** Renders again whenever the key or its standing has changed. */
export function useSession() {
  useChanges()
  return { key: held, isGuest: isGuest(), ...standing }
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Sends a request with the key in use, as `exchange` does; `body` is JSON text, undefined for GET. */
export async function send<Data>(
  path: string,
  body?: string,
  { headers: more = {}, signal }: SendOptions = {},
): Promise<Reply<Data>> {
  const sent = held?.apiKey
  const headers = {
    ...keyHeader(),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...more,
  }
  const reply = await exchange<Data>(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  note(reply.standing, sent)
  return reply
}

export const keyHeader = (): { readonly 'X-API-Key'?: string } =>
  held === null ? {} : { 'X-API-Key': held.apiKey }

/** The reply that the worker has received to a call with `apiKey`, in the form that `send` returns. */
export function workerReply<Data>(apiKey: string | undefined, got: WorkerOutcome): Reply<Data> {
  if (got.outcome !== 'reply') return got.outcome === 'cancelled' ? CANCELLED : NO_REPLY
  const { outcome: _, data, text = '', ...rest } = got
  note(rest.standing, apiKey)
  const content = rest.status === 200 ? { success: true, data } : { ...envelope(text, rest.status), text }
  return { ...content, ...rest } as Reply<Data>
}

/** Keeps the standing that a reply to `apiKey` reports, unless another key is in use by now. */
function note({ creditsRemaining, windows }: Standing, apiKey: string | undefined): void {
  if (apiKey === undefined || apiKey !== held?.apiKey) return
  if (creditsRemaining !== null) standing.credits = creditsRemaining
  // Only the windows of computations are shown; account endpoints have the window `minute`.
  const ofComputations = windows.filter(({ name }) => name !== 'minute')
  if (ofComputations.length > 0) standing.windows = ofComputations
  notify()
}

const STORED_CALLS = 'quantd-calls'
const MOST = 100
const LONGEST = 4_000

/** Ids of requests with the addresses of their inputs. */
const all = (): [string, string][] => JSON.parse(tabStorage.getItem(STORED_CALLS) ?? '[]')

/** `body`: JSON; a long one is not stored. */
export function keepCall(requestId: string, path: string, body: string): void {
  if (body.length > LONGEST) return
  const address = addressOf(path, JSON.parse(body))
  const others = all().filter(([id]) => id !== requestId)
  tabStorage.setItem(STORED_CALLS, JSON.stringify([...others, [requestId, address]].slice(-MOST)))
}

/** The addresses by request id. */
export const callsMade = () => new Map(all())
