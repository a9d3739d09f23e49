/** Ends connections whose body stops arriving: one timer per connection, for all its requests. */

/** The part of a connection that is needed here. */
export interface Connection {
  destroy(): unknown
}

export interface SilenceWatch {
  /** Call it when a body begins, and for every piece that arrives. */
  heard(connection: Connection): void
  ended(connection: Connection): void
}

interface Watched {
  isExpected: boolean
  readonly timer: NodeJS.Timeout
}

/** Destroys a connection that has sent nothing for `limitMs` while a body is incomplete. */
export function silenceWatch(limitMs: number): SilenceWatch {
  const connections = new WeakMap<Connection, Watched>()
  const watch = (connection: Connection): Watched => {
    const timer = setTimeout(() => {
      if (watched.isExpected) connection.destroy()
    }, limitMs)
    const watched = { isExpected: true, timer: timer.unref() }
    connections.set(connection, watched)
    return watched
  }
  return {
    heard(connection) {
      const watched = connections.get(connection) ?? watch(connection)
      watched.isExpected = true
      watched.timer.refresh()
    },
    ended(connection) {
      const watched = connections.get(connection)
      if (watched !== undefined) watched.isExpected = false
    },
  }
}
