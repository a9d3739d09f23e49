/**
 * The primary among the hosts of a URL. node-postgres connects to one host; this finds the one that accepts writes, by
 * libpq's rules, each time a connection was lost, and refuses a server that a promotion has replaced.
 */
import { Client, type ClientConfig, DatabaseError } from 'pg'
import { hostsOf, PRIMARY, STANDBY } from '../../../base/hosts.ts'
import { NotCommitted } from '../sql.ts'

/** Limit for each host's answer, well below the 2 s in which callers get 503. */
const PROBE_MS = 500

/** Eight hexadecimal digits; every promotion counts it up. Fails on a standby. */
const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/**
 * Changes whenever unforced writes may be lost: with a promotion of a standby, which counts up the timeline; with every
 * start of the server; and, if only one of its processes was killed and the postmaster recovers by itself, with the
 * statistics, which a crash discards. The timeline also tells servers apart that started at the same moment.
 */
export const EPOCH = `concat_ws(' ', ${TIMELINE}, pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`

/** The timeline of the server, which its epoch begins with. */
export const timelineOf = (epoch: string): string => epoch.slice(0, 8)

/** Null on a standby. */
export const READ_TIMELINE = `SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${TIMELINE} END AS timeline`

export interface Primary {
  /** The URL with one of the hosts; settings other than the host are taken from it. */
  readonly url: string
  /** Searches the primary; null: the URL has a single host. Rejects if no host accepts writes. */
  locate(): Promise<Place | null>
  /** Forgets the place, so that the next connection searches again. */
  forget(): void
  /**
   * Compares the timeline of a server with the newest seen; null: it is a standby. Throws NotCommitted if the server is
   * not the primary. A newer timeline ends all other connections, because the servers at their ends were replaced.
   */
  check(timeline: string | null, client: Client): void
  /** Registers a connection until it ends. */
  track(client: Client): void
}

interface Place {
  readonly host: string
  readonly port: number
}

export const primaryOf = (url: string): Primary => serverOf(url, 'primary')

/** @param role that of the server to find among several hosts */
export function serverOf(url: string, role: 'primary' | 'standby'): Primary {
  const urls = hostsOf(url, role === 'primary' ? PRIMARY : STANDBY)
  const clients = new Set<Client>()
  let newest = ''
  let located: Promise<Place> | null = null
  const forget = () => {
    located = null
  }
  /** Ends the connections to replaced servers, except that of the client which reported the new timeline. */
  const see = (timeline: string, teller: Client | null) => {
    const isPromotion = newest !== ''
    newest = timeline
    if (!isPromotion) return
    for (const other of clients) if (other !== teller) other.connection.stream.destroy()
  }
  const find = async (): Promise<Place> => {
    try {
      const { host, port, timeline } = await search(urls, role, newest)
      // Before anything is written: a connection to the replaced server would wait for its standby.
      if (timeline !== null && timeline > newest) see(timeline, null)
      return { host, port }
    } catch (error) {
      forget()
      throw error
    }
  }
  return {
    url: urls[0],
    async locate() {
      if (urls.length === 1) return null
      located ??= find()
      return await located
    },
    forget,
    check(timeline, client) {
      if (timeline === newest) return
      forget()
      if (timeline === null) throw new NotCommitted('PostgreSQL is a standby and accepts no writes')
      if (timeline < newest)
        throw new NotCommitted(
          `PostgreSQL is on timeline ${number(timeline)}, but a server on timeline ${number(newest)} has replaced it`,
        )
      see(timeline, client)
    },
    track(client) {
      clients.add(client)
      client.once('end', () => clients.delete(client))
    },
  }
}

const number = (timeline: string): number => Number.parseInt(timeline, 16)

/** A client that connects to the primary. */
export class PrimaryClient extends Client {
  readonly #primary: Primary

  constructor(config: ClientConfig & { readonly primary: Primary }) {
    super(config)
    this.#primary = config.primary
    // The driver would take the options of the URL instead of these. The server takes the later of two values of a setting.
    const sent = this as unknown as { readonly connectionParameters: { options?: string } }
    const { options } = sent.connectionParameters
    if (options !== config.options) sent.connectionParameters.options = `${options} ${config.options}`
    this.on('error', () => this.#primary.forget())
    // 25006: a standby refuses to write.
    this.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code === '25006') this.#primary.forget()
    })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connecting = this.#connect()
    if (callback === undefined) return connecting
    connecting.then(() => callback(null as never), callback)
    return undefined
  }

  async #connect(): Promise<this> {
    try {
      const place = await this.#primary.locate()
      // A pool that has given up waiting destroys the stream, which would connect nevertheless.
      if (this.connection.stream.destroyed) throw new Error('The search for the primary took too long')
      if (place !== null) Object.assign(this, place)
      await super.connect()
      this.#primary.track(this)
      return this
    } catch (error) {
      this.#primary.forget()
      throw error
    }
  }
}

/** A host's answer: its timeline if it is a primary, null if it is a standby. */
interface Answer extends Place {
  readonly timeline: string | null
}

/** Asks all hosts at once and waits for all answers; of several primaries (a split brain) it takes that of the newest timeline. */
async function search(urls: readonly string[], role: 'primary' | 'standby', newest: string): Promise<Answer> {
  const answers: Answer[] = []
  const failures: Error[] = []
  await new Promise<void>((resolve) => {
    let missing = urls.length
    for (const url of urls)
      probe(url)
        .then(
          (answer) => {
            answers.push(answer)
            if (role === 'standby' && answer.timeline === null) resolve()
          },
          (error) => failures.push(error),
        )
        .finally(() => {
          missing -= 1
          if (missing === 0) resolve()
        })
  })
  const [found] =
    role === 'standby'
      ? answers.filter(({ timeline }) => timeline === null)
      : answers
          .filter(({ timeline }) => timeline !== null && timeline >= newest)
          .sort((a, b) => (a.timeline! < b.timeline! ? 1 : -1))
  if (found !== undefined) return found
  // A wrong password or name of the database is the same on all hosts.
  if (answers.length === 0 && failures[0] instanceof DatabaseError) throw failures[0]
  throw new Error(
    `none of ${urls.length} hosts is the ${role} (${[
      ...answers.map(
        ({ host, port, timeline }) =>
          `${host}:${port} is ${timeline === null ? 'a standby' : timeline < newest ? 'replaced' : 'a primary'}`,
      ),
      ...failures.map(({ message }) => message),
    ].join('; ')})`,
  )
}

async function probe(connectionString: string): Promise<Answer> {
  const client = new Client({
    connectionString,
    application_name: 'quantd',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(READ_TIMELINE)
    return { host: client.host, port: client.port, timeline: rows[0].timeline }
  } finally {
    client.end().catch(() => undefined)
    // A host that does not answer would keep its connection open.
    setTimeout(() => client.connection.stream.destroy(), PROBE_MS).unref()
  }
}
