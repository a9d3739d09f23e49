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

export function palette() {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(
    Object.entries(names).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  )
}

const dark = matchMedia('(prefers-color-scheme: dark)')

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
