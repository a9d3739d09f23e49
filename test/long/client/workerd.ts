/** Runs a program that uses an installed library in workerd, as an edge worker. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../support/free-port.ts'
import { entryOf, type Program } from './program.ts'

const START_MS = 30_000

/** Returns the lines that the program prints. @param workerd the path of workerd */
export async function runInWorkerd(workerd: string, program: Program): Promise<string> {
  const { code, folder } = program
  const port = await freePort()
  writeFileSync(join(folder, 'worker.js'), workerOf(code))
  writeFileSync(join(folder, 'workerd.capnp'), configuration(program, port))
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
  const imports = /^import [\s\S]*? from .*$/gm
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
  { folder, library }: Program,
  port: number,
): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.js", esModule = embed "worker.js"),
        (name = "${library}", esModule = "export * from './${entryOf(folder, library)}'"),
        ${globSync(`node_modules/${library}/dist/**/*.js`, { cwd: folder })
          .map((name) => `(name = "${name}", esModule = embed "${name}"),`)
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
