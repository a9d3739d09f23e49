/** The known name that a misspelt one most likely stands for: a field of a body, or a path. */

/**
 * Returns the candidate with the fewest edits, if these are at most a third of its length; the first if several are equal.
 * Letter case does not count. The work is bounded by the candidates, however long the name is.
 */
export function nearest(name: string, candidates: readonly string[]): string | null {
  let found: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const most = Math.min(fewest - 1, Math.max(1, Math.floor(candidate.length / 3)))
    if (Math.abs(name.length - candidate.length) > most) continue
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase(), most)
    if (edits > most) continue
    found = candidate
    fewest = edits
  }
  return found
}

/**
 * Levenshtein (1966), row by row in one array.
 * @param most the search ends as soon as the distance is certain to be greater; the result is then greater, too
 */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  const row = new Uint16Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    const character = a.charCodeAt(i - 1)
    let diagonal = row[0]
    let least = i
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]
      const edits = Math.min(
        above + 1,
        row[j - 1] + 1,
        diagonal + (character === b.charCodeAt(j - 1) ? 0 : 1),
      )
      diagonal = above
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > most) return least
  }
  return row[b.length]
}
