/** Gives up requests whose bodies have fallen silent: one timer for all, since most bodies are there at once. */

const LOOK_EVERY_MS = 1_000

/** What is given up when it falls silent. */
export interface Speaking {
  destroy(): unknown
}

export interface SilenceWatch {
  /** To be called at the beginning, and at every sign of life. */
  heard(speaker: Speaking): void
  ended(speaker: Speaking): void
}

/** Destroys what has not been heard for `limitMs`, to within a second. */
export function silenceWatch(limitMs: number): SilenceWatch {
  /** How many times each was looked at since it was last heard. */
  const looks = new Map<Speaking, number>()
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    for (const [speaker, count] of looks)
      if ((count + 1) * LOOK_EVERY_MS <= limitMs) looks.set(speaker, count + 1)
      else {
        looks.delete(speaker)
        speaker.destroy()
      }
    if (looks.size > 0) return
    clearInterval(timer!)
    timer = null
  }
  return {
    heard(speaker) {
      looks.set(speaker, 0)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
    },
    ended: (speaker) => looks.delete(speaker),
  }
}
