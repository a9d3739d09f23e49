/**
 * The script of the documents: puts the service's address into the samples, and adds tabs for the languages, copy buttons, the
 * search, and the menu of the contents on phones.
 */
import type { SearchEntry } from '../../derive/search-index.ts'
import { write } from './clipboard.ts'

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin

for (const sample of document.querySelectorAll('.sample')) {
  const code = sample.querySelector<HTMLElement>('code')!
  sample.querySelector<HTMLElement>('figcaption')!.append(copyButton(() => code.textContent))
}
for (const samples of document.querySelectorAll<HTMLElement>('.samples')) tabs(samples)

const side = document.querySelector<HTMLElement>('.side')!
const contents = side.querySelector<HTMLElement>('.contents')!
menu(side.querySelector<HTMLElement>('.menu')!, side.querySelector<HTMLElement>('#contents')!)
search(
  side.querySelector<HTMLElement>('.search')!,
  side.querySelector<HTMLElement>('.results')!,
  side.querySelector<HTMLElement>('#found')!,
)

function smallButton(text: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small quiet'
  button.textContent = text
  return button
}

function copyButton(text: () => string): HTMLButtonElement {
  const button = smallButton('Copy')
  button.addEventListener('click', async () => {
    button.textContent = (await write(text())) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  return button
}

/** Shows one language at a time, the same in all samples. */
function tabs(samples: HTMLElement): void {
  const figures = [...samples.querySelectorAll('.sample')]
  const bar = document.createElement('p')
  bar.className = 'tabs'
  bar.role = 'group'
  bar.ariaLabel = `Language of the samples of ${samples.dataset.for}`
  for (const [i, figure] of figures.entries()) {
    const button = smallButton(figure.querySelector('figcaption span')!.textContent)
    button.addEventListener('click', () => choose(i))
    bar.append(button)
  }
  samples.prepend(bar)
  show(samples, 0)
}

function choose(which: number): void {
  for (const samples of document.querySelectorAll('.samples')) show(samples, which)
}

function show(samples: Element, which: number): void {
  for (const [i, figure] of samples.querySelectorAll<HTMLElement>('.sample').entries())
    figure.hidden = i !== which
  for (const [i, button] of samples.querySelectorAll('.tabs button').entries())
    button.ariaPressed = String(i === which)
}

/** On narrow screens a button opens the contents, and the choice of an entry closes them. */
function menu(button: HTMLElement, list: HTMLElement): void {
  const set = (isOpen: boolean) => {
    list.classList.toggle('open', isOpen)
    button.ariaExpanded = String(isOpen)
  }
  button.addEventListener('click', () => set(button.ariaExpanded !== 'true'))
  list.addEventListener('click', (event) => (event.target as Element).closest('a') && set(false))
}

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

interface Entry extends SearchEntry {
  plainTitle?: string
  spacedText?: string
}

/** A full-text search: every word must occur in the title or begin a word of the text; matches in the title come first. */
function search(box: HTMLElement, results: HTMLElement, found: HTMLElement): void {
  let entries: readonly Entry[] | null = null
  const input = box.querySelector('input')!
  box.hidden = false
  input.addEventListener('input', async () => {
    const words = input.value.split(/\s+/).filter((word) => plain(word) !== '')
    contents.hidden = words.length > 0
    results.hidden = words.length === 0
    if (words.length === 0) return
    entries ??= (await fetch('/assets/search.json').then((response) => response.json())) as Entry[]
    const matches = entries
      .map((entry) => ({ entry, score: score(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
    results.replaceChildren(...matches.slice(0, 40).map(({ entry }) => item(entry)))
    if (matches.length === 0) {
      const none = document.createElement('li')
      none.className = 'none'
      none.textContent = `No results for “${input.value.trim()}”. Try a field such as volatility, a code such as 402, or a path.`
      results.append(none)
    }
    found.textContent = `${matches.length} result${matches.length === 1 ? '' : 's'}`
  })
}

function score(entry: Entry, words: readonly string[]): number {
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

function item({ title, kind, address }: Entry): HTMLLIElement {
  const line = document.createElement('li')
  const link = document.createElement('a')
  link.href = address
  const mark = document.createElement('span')
  mark.className = 'kind'
  mark.textContent = kind
  link.append(title, ' ', mark)
  line.append(link)
  return line
}
