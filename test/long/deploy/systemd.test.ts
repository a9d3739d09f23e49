/** The unit deploy/systemd/quantd.service: how far it confines the service, and that the service runs within that. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { nodeFlags } from '../../../scripts/run-node.js'
import { MAX_PROCESSES } from '../../../src/base/limits/callers.ts'
import { freePort } from '../../support/free-port.ts'
import { createGuest, request } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { attempt, command, program, root } from './command.ts'

const LARGEST_EXPOSURE = 2
const INSTALLED = '/opt/quantd/node_modules/.bin/quantd'

const unit = readFileSync(join(root, 'deploy/systemd/quantd.service'), 'utf8')
const folder = temporaryFolder('unit')
const file = join(folder, 'quantd.service')

/** Every value of a setting of the unit. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

describe('the unit', () => {
  it('is understood by systemd without a complaint', () => {
    // systemd looks for the command on this machine, where it is not installed.
    assert.ok(unit.includes(INSTALLED))
    writeFileSync(file, unit.replace(INSTALLED, join(root, 'bin/quantd.js')))
    const { status, stdout, stderr } = attempt(program('systemd-analyze', 'systemd'), ['verify', file])
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
  })

  it('leaves an exposure of at most 2.0 of 10', () => {
    writeFileSync(file, unit)
    const report = command(program('systemd-analyze', 'systemd'), [
      'security',
      '--offline=true',
      '--no-pager',
      file,
    ])
    const exposure = Number(/Overall exposure level for quantd\.service: ([\d.]+)/.exec(report)?.[1])
    assert.ok(exposure <= LARGEST_EXPOSURE, report)
  })

  it('limits the memory to a part of that of the machine, and the number of tasks', () => {
    assert.deepEqual([valuesOf('MemoryMax'), valuesOf('TasksMax')], [['75%'], ['4096']])
  })

  it('becomes active when the service is ready, and not before', async () => {
    const script = /^\/usr\/bin\/env node -e "(.*)"$/.exec(valuesOf('ExecStartPost')[0])?.[1]
    assert.ok(script)
    // An address at which 127.0.0.1 is not served.
    const at = { HOST: '127.0.0.2', PORT: String(await freePort()) }
    const wait = spawn(process.execPath, ['-e', script.replaceAll('$$', '$')], { env: at })
    const ended = once(wait, 'exit')
    const env = { ...at, METRICS_PORT: '0', QUANTD_DATA_DIR: join(folder, 'ready') }
    assert.equal(wait.exitCode, null)
    const service = spawn(process.execPath, [...nodeFlags, join(root, 'src/app/quantd.ts'), 'serve'], { env })
    assert.deepEqual(await ended, [0, null])
    assert.equal((await request(`http://${at.HOST}:${at.PORT}/readyz`)).status, 200)
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null])
  })

  it('allows every system call that the service makes', async () => {
    const calls = join(folder, 'calls')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), METRICS_PORT: '0', QUANTD_DATA_DIR: join(folder, 'traced') }
    const service = [process.execPath, ...nodeFlags, join(root, 'src/app/quantd.ts'), 'serve']
    const trace = spawn(program('strace'), ['-f', '-c', '-U', 'name', '-o', calls, ...service], { env })
    let output = ''
    for (const stream of [trace.stdout, trace.stderr]) stream.on('data', (chunk) => (output += chunk))
    await until(() => {
      assert.equal(trace.exitCode, null, output)
      return output.includes('/docs')
    }, 'the service serves')
    const key = await createGuest(url)
    // Large enough for a worker thread, which lowers its priority.
    const X = Array.from({ length: 4_000 }, (_, row) => [Math.sin(row), Math.cos(row * row)])
    const reply = await request(`${url}/quantlib/ml/clustering/isolation-forest`, { key, body: { X } })
    assert.equal(reply.status, 200, reply.text)
    const [pid] = readFileSync(`/proc/${trace.pid}/task/${trace.pid}/children`, 'utf8').split(' ')
    const status = readFileSync(`/proc/${Number(pid)}/status`, 'utf8')
    const threads = Number(/^Threads:\t(\d+)$/m.exec(status)![1])
    console.log(`measured: ${threads} threads`)
    assert.ok(threads * MAX_PROCESSES <= Number(valuesOf('TasksMax')[0]), `${threads} threads a process`)
    process.kill(Number(pid), 'SIGTERM')
    await once(trace, 'exit')

    const made = readFileSync(calls, 'utf8')
      .match(/^[a-z]\w+$/gm)!
      .filter((name) => !/^(syscall|total)$/.test(name))
    assert.ok(made.includes('setpriority') && made.includes('fdatasync'), made.join(' '))
    const groups = valuesOf('SystemCallFilter')
    const allowed = new Set(groups.filter((group) => !group.startsWith('~')).flatMap(callsOf))
    for (const name of groups
      .filter((group) => group.startsWith('~'))
      .flatMap((group) => callsOf(group.slice(1))))
      allowed.delete(name)
    assert.deepEqual(
      // As root, which the service of the unit is not, SQLite sets the owner of its files.
      made.filter((name) => !allowed.has(name) && name !== 'fchown'),
      [],
    )
  })
})

/** The system calls of a group such as @system-service, with those of the groups in it. */
function callsOf(group: string): string[] {
  const text = command(program('systemd-analyze', 'systemd'), ['--no-pager', 'syscall-filter', group])
  const names = text
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]))
}
