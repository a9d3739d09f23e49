/** Looks for work again and again, one look at a time. */

/** @param look returns the pause before the next look in milliseconds; never rejects */
export function polling(look: () => Promise<number>) {
  let isStopped = false
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  let turn = Promise.resolve()
  /** Looks now or, during a look, once more after it. */
  const wake = (): void => {
    if (isWoken || isStopped) return
    isWoken = true
    clearTimeout(timer)
    turn = turn.then(async () => {
      isWoken = false
      if (isStopped) return
      const pauseMs = await look()
      if (!isStopped && !isWoken) timer = setTimeout(wake, pauseMs).unref()
    })
  }
  return {
    wake,
    isStopped: (): boolean => isStopped,
    /** Resolves when no look is in progress. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}
