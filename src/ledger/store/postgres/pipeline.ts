/**
 * Sends several statements in one packet with a single Sync and receives their results: one round trip. The class of the query
 * is our own, which the driver supports (pg-cursor is such a class). The driver's pipelining sends a Sync and a Describe with each
 * statement, and the server then answers each in a packet of its own.
 */
import type { Client, Connection, FieldDef, Submittable } from 'pg'
import { ANSWER_MS } from '../../../base/limits/operation.ts'
import type { Row } from '../sql.ts'
import { elementOf } from './arrays.ts'
import type { Query } from './commit.ts'

export interface Answer {
  readonly rows: Row[]
  /** The first word of the server's tag, such as `COMMIT`. */
  readonly command: string
}

/**
 * Rejects with the error of the first statement that fails; the server skips the later ones, COMMIT included. Ends the connection
 * if the answers do not arrive in time.
 * @param answers the array to which the answers are added
 */
export async function send(
  client: Client,
  queries: readonly Query[],
  answers: Answer[] = [],
): Promise<Answer[]> {
  const timer = setTimeout(() => client.connection.stream.destroy(), ANSWER_MS)
  const { promise, reject, resolve } = Promise.withResolvers<Answer[]>()
  client.query(roundTrip(client, queries, answers, resolve, reject))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

interface Field {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** The columns of the statements that a connection has prepared, by name. */
const prepared = new WeakMap<Connection, Map<string, readonly Field[]>>()

const preparedOn = (connection: Connection): Map<string, readonly Field[]> => {
  const known = prepared.get(connection) ?? new Map()
  prepared.set(connection, known)
  return known
}

/**
 * The methods of the driver's connection as its query classes call them; its types ask for a further argument, which has no
 * effect.
 */
interface Messages {
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: readonly string[] }): void
  describe(portal: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** The part of a query class that the driver calls. */
interface RoundTrip extends Submittable {
  handleRowDescription(message: { readonly fields: readonly FieldDef[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

function roundTrip(
  client: Client,
  queries: readonly Query[],
  answers: Answer[],
  resolve: (answers: Answer[]) => void,
  reject: (error: Error) => void,
): RoundTrip {
  const known = preparedOn(client.connection)
  let rows: Row[] = []
  let described: readonly Field[] = []
  return {
    submit(connection) {
      connection.stream.cork()
      for (const query of queries) request(connection as unknown as Messages, query, known)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription({ fields }) {
      described = fields.map(({ dataTypeID, name }) => ({
        name,
        parse: client.getTypeParser(dataTypeID, 'text'),
      }))
    },
    handleDataRow({ fields: texts }) {
      const fields = known.get(queries[answers.length].name ?? '') ?? described
      const row: Record<string, unknown> = {}
      texts.forEach((text, index) => {
        const { name, parse } = fields[index]
        row[name] = text === null ? null : parse(text)
      })
      rows.push(row)
    },
    handleCommandComplete({ text }) {
      const { name } = queries[answers.length]
      if (name !== undefined && !known.has(name)) known.set(name, described)
      answers.push({ rows, command: text.split(' ', 1)[0] })
      rows = []
      described = []
    },
    // After an error the promise is rejected already.
    handleReadyForQuery: () => resolve(answers),
    handleError: reject,
  }
}

function request(
  connection: Messages,
  { name = '', text, values = [] }: Query,
  known: ReadonlyMap<string, unknown>,
): void {
  const isKnown = known.has(name)
  if (!isKnown) {
    // An earlier round trip may have prepared the statement and then failed. Closing an unknown one is no error.
    if (name !== '') connection.close({ type: 'S', name })
    connection.parse({ name, text })
  }
  connection.bind({ statement: name, values: values.map(textOf) })
  if (!isKnown) connection.describe({ type: 'P' })
  connection.execute()
}

/** The text form of a parameter. */
const textOf = (value: string | readonly (string | number)[]): string =>
  typeof value === 'string' ? value : `{${value.map(elementOf).join()}}`
