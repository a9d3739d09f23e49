/** Several statements sent in one piece and answered in one: a Sync after each would cost both sides a packet and a wake-up. */
import { type Client, type Connection, Query } from 'pg'

/** A row's values as text, in the order of its statement's columns. */
export type Row = readonly (string | null)[]

export interface Step {
  /** The name of a prepared statement, or `text`'s name in the answers. */
  readonly name: string
  /** Of a statement that is not prepared. */
  readonly text?: string
  readonly values?: readonly string[]
  /** For a COPY FROM STDIN: its lines. */
  readonly lines?: string
}

export interface Answer {
  readonly rows: Row[]
  /** What the server says it did, as in `COMMIT`. */
  readonly command: string
}

/** What pg's connection has beside its declared part. */
interface Wire extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Makes statements known to a connection, by name: they are parsed, and planned, once. */
export async function prepare(client: Client, statements: Readonly<Record<string, string>>): Promise<void> {
  await converse(client, (wire) => {
    for (const [name, text] of Object.entries(statements)) wire.parse({ name, text } as never, false)
  })
}

/** Runs statements up to the first that fails; with it fail all behind it, COMMIT among them. Answers by name. */
export async function exchange(client: Client, steps: readonly Step[]): Promise<ReadonlyMap<string, Answer>> {
  const answers = await converse(client, (wire) => {
    for (const step of steps) send(wire, step)
  })
  return new Map(steps.map(({ name }, index) => [name, answers[index]!]))
}

/** Without a description of the columns: who asks knows them. */
function send(wire: Wire, { lines, name, text, values = [] }: Step): void {
  if (text !== undefined) wire.parse({ name: '', text } as never, false)
  wire.bind({ statement: text === undefined ? name : '', values: values as string[] }, false)
  wire.execute(null, false)
  if (lines === undefined) return
  wire.sendCopyFromChunk(Buffer.from(lines))
  wire.endCopyFrom()
}

/** The driver keeps its own queries in order, and bounds their time: this is one, sent and heard in another way. */
function converse(client: Client, ask: (wire: Wire) => void): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const answers: Answer[] = []
    let rows: Row[] = []
    const query = Object.assign(new Query(''), {
      callback: (error: Error | null) => (error === null ? resolve(answers) : reject(error)),
      submit(connection: Connection) {
        const wire = connection as Wire
        wire.stream.cork()
        try {
          ask(wire)
          wire.sync()
        } finally {
          wire.stream.uncork()
        }
      },
      handleDataRow({ fields }: { fields: Row }) {
        rows.push(fields)
      },
      handleCommandComplete({ text }: { text: string }) {
        answers.push({ rows, command: text })
        rows = []
      },
      handleCopyInResponse() {},
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
