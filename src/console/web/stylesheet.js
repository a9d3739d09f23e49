/** Loads a style sheet of a part of the console, once. */

const loading = new Map()

/** Resolves when the rules apply, or when the sheet cannot be loaded. */
export function stylesheet(href) {
  if (!loading.has(href))
    loading.set(
      href,
      new Promise((resolve) => {
        const link = document.createElement('link')
        link.rel = 'stylesheet'
        link.href = href
        link.onload = resolve
        link.onerror = resolve
        document.head.append(link)
      }),
    )
  return loading.get(href)
}
