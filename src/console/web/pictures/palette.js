/** The colours of pictures, from the style sheet; they follow the scheme of the system. */
import { useEffect, useState } from '../html.js'

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

/** A new list each time: in Chromium, a list that is read between the change and its event sends no event. */
const darkScheme = () => matchMedia('(prefers-color-scheme: dark)')
const changes = darkScheme()
const known = new Map()

/** Read from the style sheet once per scheme: reading it computes the styles of the page. */
export function palette() {
  const isDark = darkScheme().matches
  if (!known.has(isDark)) {
    const style = getComputedStyle(document.documentElement)
    const colors = Object.entries(names).map(([name, variable]) => [
      name,
      style.getPropertyValue(variable).trim(),
    ])
    known.set(isDark, Object.fromEntries(colors))
  }
  return known.get(isDark)
}

let family = null

/** The font of the page. */
export function fontFamily() {
  family ??= getComputedStyle(document.body).fontFamily
  return family
}

/** The font of the page at a size in pixels. */
export const font = (size) => `${size}px ${fontFamily()}`

/** Whether the scheme is dark; renders again when it changes, also between the first rendering and its effects. */
export function useScheme() {
  const [isDark, setDark] = useState(() => darkScheme().matches)
  useEffect(() => {
    const listen = () => setDark(darkScheme().matches)
    listen()
    changes.addEventListener('change', listen)
    return () => changes.removeEventListener('change', listen)
  }, [])
  return isDark
}
