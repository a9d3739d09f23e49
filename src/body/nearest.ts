/** The known name that a misspelt one most likely stands for: a field of a body, or a path. */

/**
 * Returns the candidate with the fewest edits, if these are at most a third of its length; the first of several.
 * Letter case does not count. Work is bounded by the candidates, however long the name is.
 */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const longest = Math.max(0, ...candidates.map(({ length }) => length))
  // A name of more than 4/3 of the longest candidate is too far from all of them.
  const typed = name.slice(0, 2 * longest).toLowerCase()
  let found: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const most = Math.min(fewest - 1, Math.max(1, Math.floor(candidate.length / 3)))
    if (Math.abs(typed.length - candidate.length) > most) continue
    const edits = editDistance(typed, candidate.toLowerCase())
    if (edits > most) continue
    found = candidate
    fewest = edits
  }
  return found
}

/** Levenshtein (1966), row by row. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    above = row
  }
  return above[b.length]!
}
