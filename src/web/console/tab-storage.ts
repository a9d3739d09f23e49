/** The texts that the tab stores until it is closed; if the browser forbids storage, until the page is loaded again. */
export const tabStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = storage()

function storage() {
  try {
    return sessionStorage
  } catch {
    const kept = new Map<string, string>()
    return {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    }
  }
}
