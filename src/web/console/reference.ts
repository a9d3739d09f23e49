/**
 * The script of the documents: puts the service's address into the samples, and adds tabs for the languages, copy buttons, the
 * search, and the menu of the contents on phones.
 */
import type { SearchEntry } from '../../derive/search-index.ts'
import { write } from './clipboard.ts'
import { matches, wordsIn } from './search-score.ts'

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

/** The search beside the contents. */
function search(box: HTMLElement, results: HTMLElement, count: HTMLElement): void {
  let entries: readonly SearchEntry[] | null = null
  const input = box.querySelector('input')!
  box.hidden = false
  input.addEventListener('input', async () => {
    const words = wordsIn(input.value)
    contents.hidden = words.length > 0
    results.hidden = words.length === 0
    if (words.length === 0) return
    entries ??= (await fetch('/assets/search.json').then((response) => response.json())) as SearchEntry[]
    const found = matches(entries, words)
    results.replaceChildren(...found.slice(0, 40).map(item))
    if (found.length === 0) {
      const none = document.createElement('li')
      none.className = 'none'
      none.textContent = `No results for “${input.value.trim()}”. Try a field such as volatility, a code such as 402, or a path.`
      results.append(none)
    }
    count.textContent = `${found.length} result${found.length === 1 ? '' : 's'}`
  })
}

function item({ title, kind, address }: SearchEntry): HTMLLIElement {
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
