/** The key in use, how it stands, and the one way to send a request. */

const STORED = 'quantd-key'
const listeners = new Set()
let held = JSON.parse(sessionStorage.getItem(STORED) ?? 'null')

/** `{ apiKey, expiresAt }` or null. It outlives neither the tab nor the browser's session. */
export const key = () => held

export const isGuest = () => held?.apiKey.startsWith('qd_guest_') ?? false

/** What the latest reply told: `{ credits, windows }`, null where unknown. */
export const standing = { credits: null, windows: [] }

export function hold(apiKey, { expiresAt = null, credits = null } = {}) {
  held = apiKey === null ? null : { apiKey, expiresAt }
  if (held === null) sessionStorage.removeItem(STORED)
  else sessionStorage.setItem(STORED, JSON.stringify(held))
  Object.assign(standing, { credits, windows: [] })
  tell()
}

/** Calls back whenever the key or its standing has changed. */
export const onChange = (listener) => listeners.add(listener)

const tell = () => {
  for (const listener of listeners) listener()
}

/** Sends; `body` is JSON text, undefined for GET. Never rejects: without an answer `status` is 0. */
export async function send(path, body) {
  const began = performance.now()
  const sent = held?.apiKey
  const headers = {
    ...(sent && { 'X-API-Key': sent }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  try {
    const response = await fetch(path, { method: body === undefined ? 'GET' : 'POST', headers, body })
    const text = await response.text()
    // A reply to a key that was exchanged meanwhile tells nothing of the present one.
    if (sent !== undefined && sent === held?.apiKey) note(response.headers)
    return {
      ...envelope(text, response),
      status: response.status,
      ms: performance.now() - began,
      text,
      headers: response.headers,
    }
  } catch {
    return {
      success: false,
      status: 0,
      message: 'The service did not answer. Check that it runs, then try again.',
      error: { code: 'no answer', details: [] },
      headers: new Headers(),
    }
  }
}

function envelope(text, response) {
  try {
    return JSON.parse(text)
  } catch {
    return {
      success: false,
      message: `The answer could not be read (status ${response.status}).`,
      error: { code: 'unreadable', details: [] },
    }
  }
}

function note(headers) {
  const credits = headers.get('x-credits-remaining')
  if (credits !== null) standing.credits = Number(credits)
  const policy = new Map(
    [...(headers.get('ratelimit-policy') ?? '').matchAll(/"([^"]+)";q=(\d+)/g)].map(([, name, quota]) => [
      name,
      Number(quota),
    ]),
  )
  const windows = [...(headers.get('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)].map(
    ([, name, remaining, seconds]) => ({
      name,
      limit: policy.get(name) ?? null,
      remaining: Number(remaining),
      resetAt: Date.now() + Number(seconds) * 1000,
    }),
  )
  // Account endpoints have a window of their own, which says nothing of the computations'.
  const ofComputations = windows.filter(({ name }) => name !== 'minute')
  if (ofComputations.length > 0) standing.windows = ofComputations
  tell()
}
