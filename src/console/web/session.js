/** The key in use, its standing, and the function that sends requests. */

const STORED = 'quantd-key'
const listeners = new Set()
let held = JSON.parse(sessionStorage.getItem(STORED) ?? 'null')

/** `{ apiKey, expiresAt }` or null. Stored for the tab's session only. */
export const key = () => held

export const isGuest = () => held?.apiKey.startsWith('qd_guest_') ?? false

/** Credits and windows according to the latest reply; null: unknown. */
export const standing = { credits: null, windows: [] }

export function hold(apiKey, { expiresAt = null, credits = null } = {}) {
  held = apiKey === null ? null : { apiKey, expiresAt }
  if (held === null) sessionStorage.removeItem(STORED)
  else sessionStorage.setItem(STORED, JSON.stringify(held))
  Object.assign(standing, { credits, windows: [] })
  tell()
}

/** Calls the listener whenever the key or its standing has changed. */
export const onChange = (listener) => listeners.add(listener)

const tell = () => {
  for (const listener of listeners) listener()
}

/** Sends a request; `body` is JSON text, undefined for GET. Never rejects: without a reply, `status` is 0. */
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
    // The key may have been replaced meanwhile; then the reply is not about the present key.
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
      message: 'Cannot connect to the service. Check that it is running, then try again.',
      error: { code: 'no reply', details: [] },
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
      message: `The reply could not be read (status ${response.status}).`,
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
  // Account endpoints have a separate window; only those of computations are shown.
  const ofComputations = windows.filter(({ name }) => name !== 'minute')
  if (ofComputations.length > 0) standing.windows = ofComputations
  tell()
}
