/** The Chromium for the browser tests, if the machine has one. */
import { accessSync, constants } from 'node:fs'

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Path of the first executable found; undefined: none is installed, and the browser tests are skipped. */
export function chromiumPath(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
