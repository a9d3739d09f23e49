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

const dark = matchMedia('(prefers-color-scheme: dark)')
let known = null
dark.addEventListener('change', () => {
  known = null
})

/** Read from the style sheet once per scheme: reading it computes the styles of the page. */
export function palette() {
  if (known !== null) return known
  const style = getComputedStyle(document.documentElement)
  known = Object.fromEntries(
    Object.entries(names).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  )
  return known
}

let family = null

/** The font of the page. */
export function fontFamily() {
  family ??= getComputedStyle(document.body).fontFamily
  return family
}

/** The font of the page at a size in pixels. */
export const font = (size) => `${size}px ${fontFamily()}`

/** Renders again when the scheme changes. */
export function useScheme() {
  const [isDark, setDark] = useState(dark.matches)
  useEffect(() => {
    const listen = () => setDark(dark.matches)
    dark.addEventListener('change', listen)
    return () => dark.removeEventListener('change', listen)
  }, [])
  return isDark
}
