/** Sends the requests of the page, and holds the session. */
import { useEffect } from 'preact/hooks'
import { MINUTE_MS } from '../../base/time.ts'
import { mayAct, type Role } from '../../operators/roles.ts'
import { useReloaded } from '../console/loaded.tsx'
import { observable } from '../console/observable.ts'
import { exchange, type Reply } from '../console/replies.ts'

/** The session of a person who is logged in. */
export interface Session {
  readonly name: string
  readonly role: Role
  readonly expires_at: string
  /** Whether it has ended, so that the page asks for a new login. */
  readonly hasEnded?: boolean
}

export interface CsvPage {
  readonly text: string
  /** The cursor of the next page; null: this is the last one. */
  readonly next: string | null
}

const { notify, useChanges } = observable()
let held: Session | null = null
let acts = 0
/** Functions that repeat the requests that wait for a new login. */
const waiting: (() => void)[] = []

/** @param session null: nobody is logged in */
export function hold(session: Session | null): void {
  held = session
  notify()
  for (const goOn of waiting.splice(0)) goOn()
}

export function useSession(): Session | null {
  useChanges()
  return held
}

/** The number of acts that the page has requested; a view that reads it is rendered again after each. */
export function useActs(): number {
  useChanges()
  return acts
}

/** Whether the session has the rights of a role. */
export const may = (role: Role): boolean => held !== null && mayAct(held.role, role)

/**
 * Sends a request; without `body` a GET. Never rejects: without a reply, the code is `no_reply`. After the end of a session the
 * page keeps its entries, and a GET is repeated after the next login.
 */
export async function send<Data>(
  path: string,
  body?: object,
  read?: (text: string, headers: Headers) => Data | null,
): Promise<Reply<Data>> {
  const init = body && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
  const reply = await exchange(`/operator/${path}`, init ?? {}, read)
  if (body !== undefined) {
    acts++
    notify()
  }
  if (reply.status !== 401 || path === 'session' || held === null) return reply
  if (!held.hasEnded) hold({ ...held, hasEnded: true })
  if (body !== undefined) return reply
  await new Promise<void>((goOn) => waiting.push(goOn))
  return await send(path, undefined, read)
}

/** A page of a list as CSV. */
export const sendForCsv = (path: string) =>
  send<CsvPage>(path, undefined, (text, headers) =>
    headers.get('content-type')?.startsWith('text/csv') ? { text, next: headers.get('x-next-cursor') } : null,
  )

export type Query = Readonly<Record<string, string | number | null | undefined>>

/** `path` with those parameters that are not empty. */
export const withQuery = (path: string, parameters: Query): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === '' || value == null ? [] : [[name, String(value)]],
  )
  return `${path}?${new URLSearchParams(given)}`
}

/** The reply of a GET, null while it loads, and a function that sends it again. */
export const useReply = <Data>(path: string | null) =>
  useReloaded(() => (path === null ? null : send<Data>(path)), [path])

/** As useReply, and the GET is sent again after each reply. @param pauseOf after how many milliseconds */
export function useRenewed<Data>(path: string, pauseOf: (reply: Reply<Data>) => number) {
  const [reply, again] = useReply<Data>(path)
  useEffect(() => {
    if (reply === null) return
    const timer = setTimeout(again, pauseOf(reply))
    return () => clearTimeout(timer)
  }, [reply])
  return [reply, again] as const
}

/** As useReply, but the GET is repeated until its reply is complete, then every minute. */
export const useGrowing = <Data extends { readonly complete: boolean }>(path: string) =>
  useRenewed<Data>(path, (reply) => (reply.success && !reply.data.complete ? 50 : MINUTE_MS))
