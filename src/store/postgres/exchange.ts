/**
 * Sends several prepared statements to PostgreSQL in one packet with a single Sync, and receives their results in one.
 * pg's own pipelining sends a Sync and asks for a description of the columns with each statement: measured over HTTP,
 * that costs a tenth of the calls per second.
 */
import { type Client, type Connection, Query } from 'pg'
import type { ColumnType } from '../ledger-rows.ts'

/** A statement and the columns that it returns. One with an empty name is parsed each time it is sent. */
export interface PreparedStatement<Row> {
  readonly name: string
  readonly text: string
  readonly columns: { readonly [Name in keyof Row]: ColumnType }
}

/** A statement to run, with its parameters as PostgreSQL's text. */
export interface Step {
  readonly statement: PreparedStatement<unknown>
  readonly values: readonly (string | null)[]
}

export interface Results {
  /** Empty if the statement was not among the steps. */
  rows<Row>(statement: PreparedStatement<Row>): Row[]
  /** The last statement's command tag, such as `COMMIT`. */
  readonly command: string
}

/** A row as the server sends it: each column as text. */
type Fields = readonly (string | null)[]

/** Parses statements, so that this connection knows them by name. */
export async function prepare(
  client: Client,
  statements: readonly PreparedStatement<unknown>[],
): Promise<void> {
  await converse(client, (connection) => {
    for (const { name, text } of statements) connection.parse({ name, text } as never, false)
  })
}

/** Runs the steps in order. If one fails, the later ones are skipped, COMMIT included, and the exchange rejects. */
export async function exchange(client: Client, steps: readonly Step[]): Promise<Results> {
  const answered = await converse(client, (connection) => {
    for (const { statement, values } of steps) {
      const { name, text } = statement
      if (name === '') connection.parse({ name, text } as never, false)
      connection.bind({ statement: name, values: values as string[] }, false)
      connection.execute(null, false)
    }
  })
  return {
    rows({ columns, name }) {
      const index = steps.findIndex(({ statement }) => statement.name === name)
      return index < 0 ? [] : answered[index]!.rows.map((fields) => rowOf(columns, fields))
    },
    command: answered.at(-1)!.command,
  }
}

function rowOf<Row>(columns: PreparedStatement<Row>['columns'], fields: Fields): Row {
  const row: Record<string, string | number | null> = {}
  let index = 0
  for (const name in columns) {
    const text = fields[index++]!
    row[name] = text !== null && columns[name] === 'bigint' ? Number(text) : text
  }
  return row as Row
}

/** Submitted as a query of pg, which keeps it in order with other queries and applies the query time-out. */
function converse(
  client: Client,
  send: (connection: Connection) => void,
): Promise<{ rows: Fields[]; command: string }[]> {
  return new Promise((resolve, reject) => {
    const results: { rows: Fields[]; command: string }[] = []
    let rows: Fields[] = []
    const query = Object.assign(new Query(''), {
      callback: (error: Error | null) => (error === null ? resolve(results) : reject(error)),
      submit(connection: Connection) {
        connection.stream.cork()
        try {
          send(connection)
          connection.sync()
        } finally {
          connection.stream.uncork()
        }
      },
      handleDataRow({ fields }: { fields: Fields }) {
        rows.push(fields)
      },
      handleCommandComplete({ text }: { text: string }) {
        results.push({ rows, command: text })
        rows = []
      },
      handleReadyForQuery() {
        query.callback(null)
      },
      handleError(error: Error) {
        query.callback(error)
      },
    })
    client.query(query)
  })
}
