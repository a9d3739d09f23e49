/** Runs a program that uses the installed client in workerd, as an edge worker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../support/free-port.ts'
import type { Program } from './program.ts'

const START_MS = 30_000
const PACKAGE = 'node_modules/quantd-client'

/** Returns the lines that the program prints. @param workerd the path of workerd */
export async function runInWorkerd(workerd: string, { code, folder }: Program): Promise<string> {
  const port = await freePort()
  writeFileSync(join(folder, 'worker.js'), workerOf(code))
  writeFileSync(join(folder, 'workerd.capnp'), configuration(folder, port))
  const child = spawn(workerd, ['serve', 'workerd.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const complaints = text(child.stderr)
  try {
    const response = await answered(`http://127.0.0.1:${port}/`, () => child.exitCode === null)
    if (response?.ok) return await response.text()
    child.kill()
    throw new Error(`${(await response?.text()) ?? 'no reply'}\n${await complaints}`)
  } finally {
    child.kill()
    await ended
  }
}

/** A worker may send requests only while it answers one: the program becomes the body of its handler. */
function workerOf(code: string): string {
  const imports = /^import .*$/gm
  return `${code.match(imports)?.join('\n')}
const program = async (console) => {
${code.replace(imports, '')}
}
export default {
  async fetch() {
    const lines = []
    await program({ log: (...words) => lines.push(words.join(' ') + '\\n') })
    return new Response(lines.join(''))
  },
}`
}

const configuration = (
  folder: string,
  port: number,
): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.js", esModule = embed "worker.js"),
        (name = "quantd-client", esModule = "export * from '${entryOf(folder)}'"),
        ${globSync('dist/**/*.js', { cwd: join(folder, PACKAGE) })
          .map((name) => `(name = "${PACKAGE}/${name}", esModule = embed "${PACKAGE}/${name}"),`)
          .join('\n        ')}
      ],
      compatibilityDate = "2026-11-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`

/** The module that the package exports. */
function entryOf(folder: string): string {
  const { exports } = JSON.parse(readFileSync(join(folder, PACKAGE, 'package.json'), 'utf8'))
  return `./${join(PACKAGE, exports['.'].default)}`
}

/** The reply, once the server listens; null if it ends or does not listen in time. */
async function answered(url: string, isRunning: () => boolean): Promise<Response | null> {
  const deadline = performance.now() + START_MS
  while (isRunning() && performance.now() < deadline) {
    try {
      return await fetch(url)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return null
}
