/**
 * Sends several statements as one text and receives their results: one round trip, and one answer of the server. The driver
 * would send a query of its own for each, with an answer to each.
 */
import type { Client, QueryConfig, QueryResult } from 'pg'
import { NotCommitted } from '../outcomes.ts'

/** A statement without a name is parsed each time and has no values, one with a name is parsed once by each connection. */
export type Query = QueryConfig<unknown[]>

const preparedOn = new WeakMap<Client, ReadonlySet<string>>()

/**
 * Null is answered by no rows. Rejects with the error of the first statement that fails; the later ones are not run.
 * NotCommitted: nothing was sent.
 */
export async function send(
  client: Client,
  queries: readonly (Query | null)[],
): Promise<(QueryResult | typeof NOTHING)[]> {
  const asked = queries.filter((query) => query !== null)
  const missing = asked.filter(({ name }) => name !== undefined && !preparedOn.get(client)?.has(name))
  if (missing.length > 0) await prepare(client, missing)
  const text = asked.map(textOf).join(';')
  if (text.includes('\0')) throw new NotCommitted('PostgreSQL takes no text with a zero byte')
  // The first of them may be several, whose results nobody reads.
  const found = [await client.query(text)].flat().slice(-asked.length)
  let next = 0
  return queries.map((query) => (query === null ? NOTHING : found[next++]))
}

const NOTHING = { rows: [], command: '' }

async function prepare(client: Client, queries: readonly Query[]): Promise<void> {
  const unknown = new Map(queries.map(({ name, text }) => [name!, text]))
  await client.query([...unknown].map(([name, text]) => `PREPARE "${name}" AS ${text}`).join(';'))
  preparedOn.set(client, new Set([...(preparedOn.get(client) ?? []), ...unknown.keys()]))
}

const textOf = ({ name, text, values = [] }: Query): string => {
  if (name === undefined) return text
  return values.length === 0 ? `EXECUTE "${name}"` : `EXECUTE "${name}"(${values.map(literal).join()})`
}

/** A value in a text, by `standard_conforming_strings`; without a type, so that its place determines it. */
export function literal(value: unknown): string {
  if (value === null) return 'NULL'
  const text = Array.isArray(value) ? `{${value.map(elementOf).join()}}` : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

const elementOf = (value: string | number | null): string | number => {
  if (typeof value !== 'string') return value ?? 'NULL'
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}
