/** Runs a program that uses an installed library on a page of its own origin, in Chromium. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { entryOf, type Program } from './program.ts'

const TIMEOUT_MS = 60_000

/** Returns the lines that the program prints. @param executablePath of Chromium */
export async function runInChromium(
  executablePath: string,
  { code, folder, library, port }: Program,
): Promise<string> {
  const installed = `/node_modules/${library}/`
  const page = `<!doctype html>
<script type="importmap">{"imports":{"${library}":"/${entryOf(folder, library)}"}}</script>
<script type="module">${code}
console.log('the end')</script>`
  const server = createServer(({ url = '/' }, reply) => {
    if (url === '/') reply.setHeader('content-type', 'text/html').end(page)
    else if (url.startsWith(`${installed}dist/`) && !url.includes('..'))
      reply.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, url)))
    else reply.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    const lines: string[] = []
    const ended = new Promise<void>((resolve) => {
      tab.on('console', (message) => (message.text() === 'the end' ? resolve() : lines.push(message.text())))
      tab.on('pageerror', (error) => {
        lines.push(String(error))
        resolve()
      })
      setTimeout(resolve, TIMEOUT_MS).unref()
    })
    await tab.goto(`http://127.0.0.1:${port}/`)
    await ended
    // Chromium reports the refused request on the console too.
    return lines
      .filter((line) => !line.startsWith('Failed to load resource'))
      .map((line) => `${line}\n`)
      .join('')
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
