/** A full-text search: every word must occur in the title or begin a word of the text; matches in the title come first. */
import type { SearchEntry } from '../../derive/search-index.ts'

/** What the search keeps of an entry. */
export interface Searched extends Pick<SearchEntry, 'title' | 'text'> {
  plainTitle?: string
  spacedText?: string
}

/** The entries that match, best first. */
export function matches<Entry extends Searched>(
  entries: readonly Entry[],
  words: readonly string[],
): Entry[] {
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

export const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => plain(word) !== '')

/** The letters and digits of a text, so that “blackscholes” finds “Black–Scholes”. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
}

/** The words of a text, each after a space, so that “such” does not find “nonesuch”. */
function spaced(text: string): string {
  return ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()}`
}

function score(entry: Searched, words: readonly string[]): number {
  entry.plainTitle ??= plain(entry.title)
  entry.spacedText ??= spaced(entry.text)
  let sum = 0
  for (const word of words) {
    const joined = plain(word)
    if (entry.plainTitle.includes(joined)) sum += entry.plainTitle.startsWith(joined) ? 4 : 3
    else if (entry.spacedText.includes(spaced(word))) sum += 1
    else return 0
  }
  return sum
}
