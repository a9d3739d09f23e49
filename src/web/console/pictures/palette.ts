/** The colours of pictures, from the style sheet: those of the system's scheme, and of the light one on paper. */
// @ts-nocheck: to be converted

const names = {
  ink: '--ink',
  soft: '--soft',
  grid: '--line',
  surface: '--surface',
  first: '--series-1',
  second: '--series-2',
  third: '--series-3',
  fourth: '--series-4',
  muted: '--line-strong',
  firstSoft: '--series-1-soft',
  secondSoft: '--series-2-soft',
}

/** Makes a new list each time, because in Chromium a list that is read between the change and its event sends no event. */
const darkScheme = () => matchMedia('(prefers-color-scheme: dark)')
const changes = darkScheme()
const known = new Map()
const { dataset } = document.documentElement
const scheme = () => ('printing' in dataset ? 'paper' : darkScheme().matches ? 'dark' : 'light')

addEventListener('beforeprint', () => {
  dataset.printing = ''
})
addEventListener('afterprint', () => {
  delete dataset.printing
})

/** The colours of the present scheme. They are read once per scheme, because reading them computes the styles of the page. */
export function palette() {
  const now = scheme()
  if (!known.has(now)) {
    const style = getComputedStyle(document.documentElement)
    const colors = Object.entries(names).map(([name, variable]) => [
      name,
      style.getPropertyValue(variable).trim(),
    ])
    known.set(now, Object.fromEntries(colors))
  }
  return known.get(now)
}

let family = null

export function fontFamily() {
  family ??= getComputedStyle(document.body).fontFamily
  return family
}

/** The font of the page at a size in pixels. */
export const font = (size) => `${size}px ${fontFamily()}`

/** 'light', 'dark' or 'paper'. Renders again when it changes, even between the first rendering and its effects. */
export function useScheme() {
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

import { useEffect, useState } from 'preact/hooks'
