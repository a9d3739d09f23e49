/** The key in use, its standing, and the function that sends requests. */
import { forgetEntries } from './kept-entries.ts'
import { STORED_CALLS } from './made-calls.ts'
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
import { tabStorage } from './tab-storage.ts'

/** A key as the page holds it. */
export interface HeldKey {
  readonly apiKey: string
  readonly expiresAt: string | null
  /** That of the account; null: not known yet. */
  readonly name: string | null
  /** Whether the owner signed on at a provider. */
  readonly isSignedOn: boolean
}

const STORED = 'quantd-key'
const { notify, useChanges } = observable()
let held: HeldKey | null = JSON.parse(tabStorage.getItem(STORED) ?? 'null')

/** The key in use, or null. It is stored only until the tab is closed. */
export const key = () => held

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

/** Uses and stores a key; null forgets it and what was entered. */
export function hold(
  apiKey: string | null,
  { expiresAt = null, credits = null, name = null, isSignedOn = false }: KeyFacts = {},
): void {
  held = apiKey === null ? null : { apiKey, expiresAt, name, isSignedOn }
  if (held === null) {
    for (const stored of [STORED, STORED_CALLS]) tabStorage.removeItem(stored)
    forgetEntries()
  } else tabStorage.setItem(STORED, JSON.stringify(held))
  Object.assign(standing, { credits, windows: [] })
  notify()
}

/** Stores the name of the account to which the key belongs. */
export function name(text: string): void {
  if (held === null || held.name === text) return
  held = { ...held, name: text }
  tabStorage.setItem(STORED, JSON.stringify(held))
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
