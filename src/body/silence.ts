/** Gives up bodies that have fallen silent: one timer to a connection, for all the requests that come on it. */

/** A connection, as much as is needed of it. */
export interface Line {
  destroy(): unknown
}

export interface SilenceWatch {
  /** To be called when a body begins, and at every sign of life. */
  heard(line: Line): void
  ended(line: Line): void
}

interface Watched {
  isExpected: boolean
  readonly timer: NodeJS.Timeout
}

/** Destroys a connection that owes the rest of a body and has been silent for `limitMs`. */
export function silenceWatch(limitMs: number): SilenceWatch {
  const lines = new WeakMap<Line, Watched>()
  const watch = (line: Line): Watched => {
    const timer = setTimeout(() => {
      if (watched.isExpected) line.destroy()
    }, limitMs)
    const watched = { isExpected: true, timer: timer.unref() }
    lines.set(line, watched)
    return watched
  }
  return {
    heard(line) {
      const watched = lines.get(line) ?? watch(line)
      watched.isExpected = true
      watched.timer.refresh()
    },
    ended(line) {
      const watched = lines.get(line)
      if (watched !== undefined) watched.isExpected = false
    },
  }
}
