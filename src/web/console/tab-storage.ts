/** The texts that the tab stores until it is closed; if the browser forbids storage, until the page is loaded again. */
// @ts-nocheck: to be converted
export const tabStorage = storage()

function storage() {
  try {
    return sessionStorage
  } catch {
    const kept = new Map()
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => kept.set(name, text),
      removeItem: (name) => kept.delete(name),
    }
  }
}
