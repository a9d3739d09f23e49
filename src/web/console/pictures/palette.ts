/** The colours of pictures, from the style sheet: those of the system's scheme, and of the light one on paper. */
import { useEffect, useState } from 'preact/hooks'

type Scheme = 'light' | 'dark' | 'paper'

const names = {
  ink: '--ink',
  soft: '--soft',
  grid: '--line',
  surface: '--surface',
  first: '--series-1',
  second: '--series-2',
  third: '--series-3',
  fourth: '--series-4',
  fifth: '--series-5',
  muted: '--line-strong',
}

export type Ink = keyof typeof names

/** The colour of each ink as CSS. */
export type Palette = Readonly<Record<Ink, string>>

/** Makes a new list each time, because in Chromium a list that is read between the change and its event sends no event. */
const darkScheme = () => matchMedia('(prefers-color-scheme: dark)')
const changes = darkScheme()
const known = new Map<Scheme, Palette>()
const { dataset } = document.documentElement
const scheme = (): Scheme => ('printing' in dataset ? 'paper' : darkScheme().matches ? 'dark' : 'light')

addEventListener('beforeprint', () => {
  dataset.printing = ''
})
addEventListener('afterprint', () => {
  delete dataset.printing
})

/** The colours of the present scheme. They are read once per scheme, because reading them computes the styles of the page. */
export function palette(): Palette {
  const now = scheme()
  const before = known.get(now)
  if (before !== undefined) return before
  const style = getComputedStyle(document.documentElement)
  const colors = Object.fromEntries(
    Object.entries(names).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  ) as Record<Ink, string>
  known.set(now, colors)
  return colors
}

let family: string | null = null

export function fontFamily(): string {
  family ??= getComputedStyle(document.body).fontFamily
  return family
}

/** The font of the page at a size in pixels. */
export const font = (size: number): string => `${size}px ${fontFamily()}`

/** 'light', 'dark' or 'paper'. Renders again when it changes, even between the first rendering and its effects. */
export function useScheme(): Scheme {
  const [shown, setShown] = useState(scheme)
  useEffect(() => {
    const listen = () => setShown(scheme())
    listen()
    changes.addEventListener('change', listen)
    addEventListener('beforeprint', listen)
    addEventListener('afterprint', listen)
    return () => {
      changes.removeEventListener('change', listen)
      removeEventListener('beforeprint', listen)
      removeEventListener('afterprint', listen)
    }
  }, [])
  return shown
}
