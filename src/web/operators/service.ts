/** Sends the requests of the page, and holds the session. */
// @ts-nocheck: to be converted
import { useEffect, useState } from 'preact/hooks'
import { observable } from '../console/observable.ts'
import { useLoaded } from '../console/use-loaded.ts'

const ROLES = ['viewer', 'support', 'billing', 'admin']
const { notify, useChanges } = observable()
let held = null
/** Functions that repeat the requests that wait for a new login. */
const waiting = []

/** `session`: `{ name, role, expires_at, hasEnded }`; null: nobody is logged in. */
export function hold(session) {
  held = session
  notify()
  for (const goOn of waiting.splice(0)) goOn()
}

export function useSession() {
  useChanges()
  return held
}

/** Whether the session has the rights of a role; each role has all rights of those before it. */
export const may = (role) => held !== null && ROLES.indexOf(held.role) >= ROLES.indexOf(role)

/**
 * Sends a request; without `body` a GET. Never rejects: without a reply, the code is `no_reply`. After the end of a session the
 * page keeps its entries, and a GET is repeated after the next login.
 */
export async function send(path, body) {
  const reply = await sent(`/operator/${path}`, body)
  if (reply.status !== 401 || path === 'session' || held === null) return reply
  if (!held.hasEnded) hold({ ...held, hasEnded: true })
  if (body !== undefined) return reply
  await new Promise((goOn) => waiting.push(goOn))
  return await send(path)
}

async function sent(path, body) {
  try {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      credentials: 'same-origin',
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (/^text\/csv/.test(response.headers.get('content-type'))) return await tableOf(response)
    return { ...(await response.json()), status: response.status }
  } catch {
    return {
      success: false,
      status: 0,
      message: 'The service cannot be reached.',
      error: { code: 'no_reply' },
    }
  }
}

const tableOf = async (response) => ({
  success: true,
  status: 200,
  text: await response.text(),
  next: response.headers.get('x-next-cursor'),
})

/** `path` with those parameters that are not empty. */
export const withQuery = (path, parameters) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value != null)
  return `${path}?${new URLSearchParams(given)}`
}

/** The reply of a GET, null while it loads, and a function that sends it again. */
export function useReply(path) {
  const [tries, setTries] = useState(0)
  const reply = useLoaded(() => (path === null ? null : send(path)), [path, tries])
  return [reply, () => setTries((count) => count + 1)]
}

/** As useReply, but the GET is repeated until its reply is complete, then every minute. */
export function useGrowing(path) {
  const [tries, setTries] = useState(0)
  const [reply, setReply] = useState(null)
  useEffect(() => {
    let timer = 0
    let isCurrent = true
    const ask = async () => {
      const got = await send(path)
      if (!isCurrent) return
      setReply(got)
      timer = setTimeout(ask, got.success && !got.data.complete ? 50 : 60_000)
    }
    ask()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [path, tries])
  return [reply, () => setTries((count) => count + 1)]
}
