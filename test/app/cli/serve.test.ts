/** `quantd serve` as an operator starts and ends it: on a terminal, behind the launcher, behind npm. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { environmentOf } from '../../support/node-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const root = join(import.meta.dirname, '../../..')
const folder = temporaryFolder('serve')
const METRICS_PORT = 9_464
const started: ChildProcess[] = []
after(() => {
  for (const { pid } of started)
    try {
      process.kill(-pid!, 'SIGKILL')
    } catch {
      // All have ended.
    }
})

/** Starts a command line in a group of its own. */
function run(command: readonly [string, ...string[]], settings: Record<string, string> = {}) {
  const [file, ...args] = command
  const dataDir = join(folder, String(started.length))
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...environmentOf(dataDir), PATH, HOME: folder, TERM: 'xterm' }
  const child = spawn(file, args, { cwd: root, detached: true, env: { ...env, ...settings } })
  started.push(child)
  let [output, errors] = ['', '']
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (errors += text))
  const isListening = () => {
    assert.equal(child.exitCode, null, output + errors)
    return output.includes('listens on')
  }
  return {
    child,
    output: () => output,
    errors: () => errors,
    listening: () => until(isListening, 'it listens'),
  }
}

const SERVE = [process.execPath, 'src/app/quantd.ts', 'serve'] as const

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return free
}

describe('the log', () => {
  it('is for a person on a terminal, which tells first that the service starts', async () => {
    const { child, listening, output } = run(
      ['script', '-qefc', 'node src/app/quantd.ts serve', '/dev/null'],
      {
        BODY_LIMIT: '65536',
      },
    )
    await listening()
    child.kill('SIGTERM')
    assert.match(output(), /^quantd \d+\.\d+\.\d+ starts …\r\n/)
    // The prefix of QUANTD_BODY_LIMIT is missing.
    assert.match(
      output(),
      /\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] .*WARN.*: .*BODY_LIMIT is set and is no setting/,
    )
    assert.doesNotMatch(output(), /"level":/)
  })

  it('is JSON elsewhere, tells first that the service starts, and warns of the free port of the metrics of a second one', async () => {
    // Another program may hold the port already.
    const first = createServer()
      .on('error', () => undefined)
      .listen(METRICS_PORT, '127.0.0.1')
    const { child, listening, output } = run(SERVE, { METRICS_PORT: '' })
    await listening()
    const lines = output().split('\n')
    assert.equal(JSON.parse(lines[0]).msg, 'starting')
    const line = lines.find((one) => one.includes('the metrics are on another port, because 9464 is in use'))
    const { host, level, port } = JSON.parse(line!)
    assert.equal(level, 40)
    assert.match(await (await fetch(`http://${host}:${port}/metrics`)).text(), /quantd_/)
    child.kill('SIGTERM')
    first.close()
  })
})

describe('a start ends with 1 and one line', () => {
  const refused = async (settings: Record<string, string>, line: RegExp) => {
    const { child, errors } = run(SERVE, { LOG_LEVEL: 'error', ...settings })
    const [code] = await once(child, 'close')
    assert.deepEqual([code, errors().split('\n').length], [1, 2], errors())
    assert.match(errors(), line)
  }

  it('where a port that a setting names is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as { port: number }
    const inUse = 'quantd: quantd cannot listen on [\\d.:]+: it is in use; set'
    await refused({ PORT: String(port) }, new RegExp(`^${inUse} HOST or PORT`))
    await refused({ METRICS_PORT: String(port) }, new RegExp(`^${inUse} METRICS_HOST or METRICS_PORT`))
    holder.close()
  })

  it('where a cost is of no operation', () =>
    refused({ QUANTD_COSTS: '/quantlib/typo=5' }, /^quantd: .*QUANTD_COSTS names \/quantlib\/typo/))
})

describe('the service ends, and its port is free,', () => {
  const LAUNCHER = [process.execPath, 'bin/quantd.js', 'serve'] as const
  for (const [name, command, signals] of [
    ['the launcher', LAUNCHER, ['SIGTERM', 'SIGINT', 'SIGKILL']],
    ['npm start', ['npm', 'start'], ['SIGTERM', 'SIGINT', 'SIGKILL']],
    // npm exec ignores SIGINT and goes on, with the service: on a terminal every process gets a Ctrl-C.
    ['npx', ['npx', '--no', '-c', 'node bin/quantd.js serve'], ['SIGTERM', 'SIGKILL']],
  ] as const)
    for (const signal of signals)
      it(`after ${signal} to ${name}`, async () => {
        const port = await freePort()
        const { child, listening } = run(command as readonly [string, ...string[]], { PORT: String(port) })
        await listening()
        assert.equal(await isFree(port), false)
        child.kill(signal)
        await until(() => isFree(port), 'the port is free')
      })
})
