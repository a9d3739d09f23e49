/** The texts that are stored in the tab until it is closed, and in the browser for all of its tabs. */

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const tabStorage: Store = storage(() => sessionStorage)
export const browserStorage: Store = storage(() => localStorage)

/** If the browser forbids storage, the texts are kept until the page is loaded again. */
function storage(own: () => Storage): Store {
  try {
    return own()
  } catch {
    const kept = new Map<string, string>()
    return {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    }
  }
}
