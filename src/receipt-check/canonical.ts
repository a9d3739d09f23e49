/** Canonical JSON (RFC 8785) of the values that receipts consist of: objects, lists, texts, whole numbers, true, false, null. */

/** Throws TypeError for other values. The names are ASCII, so that their order is that of JavaScript's sort. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value === 'object' && value !== null) {
    const named = value as Record<string, unknown>
    const members = Object.keys(named)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(named[name])}`)
    return `{${members.join()}}`
  }
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean'
  if (!(isPlain || Number.isSafeInteger(value))) throw new TypeError('is no value of a receipt')
  return JSON.stringify(value)
}
