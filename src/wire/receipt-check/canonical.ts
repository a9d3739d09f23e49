/** Canonical JSON (RFC 8785) of the values that receipts consist of: objects, lists, texts, whole numbers, true, false, null. */

/**
 * Throws TypeError for other values, and for texts that UTF-8 cannot encode. Names are sorted by UTF-16 code units, as RFC 8785
 * demands and JavaScript does.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value === 'object' && value !== null) {
    const named = value as Record<string, unknown>
    const members = Object.keys(named)
      .sort()
      .map((name) => `${canonical(name)}:${canonical(named[name])}`)
    return `{${members.join()}}`
  }
  const isText = typeof value === 'string' && value.isWellFormed()
  const isPlain = value === null || isText || typeof value === 'boolean'
  if (!(isPlain || Number.isSafeInteger(value))) throw new TypeError('is no value of a receipt')
  return JSON.stringify(value)
}
