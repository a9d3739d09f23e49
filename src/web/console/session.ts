/** The key in use, its standing, and the function that sends requests. */
// @ts-nocheck: to be converted
import { forgetEntries } from './kept-entries.ts'
import { STORED_CALLS } from './made-calls.ts'
import { observable } from './observable.ts'
import { standingOf } from './standing-of.ts'
import { tabStorage } from './tab-storage.ts'

const STORED = 'quantd-key'
const { notify, useChanges } = observable()
let held = JSON.parse(tabStorage.getItem(STORED) ?? 'null')

/** The key in use, `{ apiKey, expiresAt, name, isSignedOn }`, or null. It is stored only until the tab is closed. */
export const key = () => held

export const isGuest = () => held?.apiKey.startsWith('qd_guest_') ?? false

/** Whether the key is a team key, which can call computations but not manage the account. */
export const isTeamKey = () => held?.apiKey.startsWith('qd_team_') ?? false

/** The credits and windows that the latest reply has reported; null: unknown. */
export const standing = { credits: null, windows: [] }

/** Uses and stores a key; null forgets it and what was entered. `name`: that of the account; `isSignedOn`: whether the owner signed on at a provider. */
export function hold(apiKey, { expiresAt = null, credits = null, name = null, isSignedOn = false } = {}) {
  held = apiKey === null ? null : { apiKey, expiresAt, name, isSignedOn }
  if (held === null) {
    for (const stored of [STORED, STORED_CALLS]) tabStorage.removeItem(stored)
    forgetEntries()
  } else tabStorage.setItem(STORED, JSON.stringify(held))
  Object.assign(standing, { credits, windows: [] })
  notify()
}

/** Stores the name of the account to which the key belongs. */
export function name(text) {
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

/**
 * Sends a request; `body` is JSON text, undefined for GET. Never rejects: without a reply, `status` is 0 and the code is
 * `no_reply`, or `cancelled` after `signal` has aborted it.
 */
export async function send(path, body, { headers: more = {}, signal } = {}) {
  const began = performance.now()
  const sent = held?.apiKey
  const headers = {
    ...keyHeader(),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...more,
  }
  try {
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(path, { method, headers, body, signal })
    const text = await response.text()
    const reported = standingOf(response.headers)
    note(reported, sent)
    return {
      ...envelope(text, response.status),
      status: response.status,
      ms: performance.now() - began,
      text,
      standing: reported,
    }
  } catch {
    return signal?.aborted ? CANCELLED : NO_REPLY
  }
}

export const keyHeader = () => (held === null ? {} : { 'X-API-Key': held.apiKey })

const withoutReply = (code, message) => ({
  success: false,
  status: 0,
  message,
  error: { code, details: [] },
  standing: standingOf(new Headers()),
})
const NO_REPLY = withoutReply('no_reply', 'The service cannot be reached.')
const CANCELLED = withoutReply('cancelled', 'The call was cancelled.')

/** The reply that the worker has received to a call with `apiKey`, in the form that `send` returns. */
export function workerReply(apiKey, { outcome, text, data, ...rest }) {
  if (outcome !== 'reply') return outcome === 'cancelled' ? CANCELLED : NO_REPLY
  note(rest.standing, apiKey)
  return { ...(rest.status === 200 ? { success: true, data } : envelope(text, rest.status)), ...rest }
}

function envelope(text, status) {
  try {
    return JSON.parse(text)
  } catch {
    return {
      success: false,
      message: `The reply could not be read (status ${status}).`,
      error: { code: 'unreadable', details: [] },
    }
  }
}

/** Keeps the standing that a reply to `apiKey` reports, unless another key is in use by now. */
function note({ creditsRemaining, windows }, apiKey) {
  if (apiKey === undefined || apiKey !== held?.apiKey) return
  if (creditsRemaining !== null) standing.credits = creditsRemaining
  // Only the windows of computations are shown; account endpoints have the window `minute`.
  const ofComputations = windows.filter(({ name }) => name !== 'minute')
  if (ofComputations.length > 0) standing.windows = ofComputations
  notify()
}
