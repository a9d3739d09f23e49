/** The npm package, installed from its tarball by a stranger: an empty folder, an empty home, Node ≥ 24. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { startPostgres } from '../../support/postgres.ts'
import { createGuest, request, TEST_MASTER_KEY } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { attempt, command, newUser, root, tool } from './command.ts'
import { type Packed, pack } from './pack.ts'

/** The limit on the time to the first price, on a machine that is otherwise idle. */
const FIRST_PRICE_SECONDS = 10
/** The number of runnable programs for each core. */
const load = (): number => loadavg()[0] / availableParallelism()

const folder = mkdtempSync(join(tmpdir(), 'quantd package é '))
const home = join(folder, 'home')
const cwd = join(folder, 'app')
const started: ChildProcess[] = []
let packed: Packed
let env: NodeJS.ProcessEnv

before(() => {
  mkdirSync(home)
  mkdirSync(cwd)
  env = newUser(home)
  packed = pack()
  command('npm', ['install', packed.tarball, '--no-audit', '--no-fund'], { cwd, env })
})

after(() => {
  for (const child of started) stop(child, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const quantd = (...args: string[]) => attempt('npx', ['quantd', ...args], { cwd, env })

/** Ends a command with the processes that it has started: npx does not pass signals on. */
function stop({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  try {
    process.kill(-pid!, signal)
  } catch {
    // All have ended.
  }
}

/** Starts `quantd serve` and returns when it has printed its greeting. */
async function serve(
  settings: Record<string, string> = {},
  [file, ...args]: readonly [string, ...string[]] = [join(cwd, 'node_modules/.bin/quantd')],
) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = spawn(file, [...args, 'serve'], {
    cwd,
    detached: true,
    env: { ...env, PORT: String(port), METRICS_PORT: '0', QUANTD_IP_LIMITS: 'off', ...settings },
  })
  started.push(service)
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk))
  await until(() => {
    assert.equal(service.exitCode, null, `the service ended:\n${output}`)
    return output.includes('/docs')
  }, 'the service printed its greeting')
  return { url, service, output: () => output }
}

/** Seconds from `npx quantd serve` to a price, by the commands that the greeting prints; nothing is kept of earlier starts. */
async function firstPrice(): Promise<number> {
  for (const path of ['data', 'node_modules/.cache', 'node_modules/quantd/node_modules/.cache'])
    rmSync(join(cwd, path), { recursive: true, force: true })
  const startedAt = performance.now()
  const { output, service, url } = await serve({}, ['npx', 'quantd'])
  const lines = /\n( {2}KEY=[\s\S]*?)\n\n/.exec(output())?.[1]
  assert.ok(lines, output())
  const price = execFileSync('bash', ['-c', lines], { encoding: 'utf8', cwd })
  const seconds = (performance.now() - startedAt) / 1_000
  assert.equal(price.trim(), '{"success":true,"data":{"vg_call_price":10.99370318672906}}')
  assert.ok(existsSync(join(cwd, 'data/quantd.db')))
  const ended = once(service, 'exit')
  stop(service)
  await ended
  await until(
    () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    'the service has ended',
  )
  return seconds
}

describe('the tarball', () => {
  it('has no complaint from publint', () => {
    assert.match(command(tool('publint'), [packed.tarball, '--strict']), /All good!/)
  })

  it('holds JavaScript and data, no TypeScript, and nothing of the development', () => {
    const files = command('tar', ['tzf', packed.tarball]).trim().split('\n')
    const top = new Set(files.map((file) => file.split('/')[1]))
    assert.deepEqual([...top].sort(), [
      ...[
        '.env.example',
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin',
        'deploy',
        'dist',
        'docs',
        'npm-shrinkwrap.json',
      ],
      ...['package.json', 'scripts'],
    ])
    // The clients are served, so they are data here.
    const own = files.filter((file) => !file.startsWith('package/dist/web/built/clients/'))
    assert.deepEqual(
      own.filter((file) => /\.(ts|map|tgz)$|(^|\/)(test|\.env)(\/|$)|^package\/data\//.test(file)),
      [],
    )
    assert.equal(
      files.filter((file) => /^package\/dist\/numerics\/.*\.js$/.test(file)).length,
      globSync('src/numerics/**/*.ts', { cwd: root }).length,
    )
  })

  it('has documents that name only files of the package and commands that exist there', () => {
    const installed = join(cwd, 'node_modules/quantd')
    const pages = globSync('**/*.md', { cwd: installed, exclude: ['node_modules/**', 'dist/**'] })
    const documents = globSync('{docs/**/*,deploy/README}.md', { cwd: root })
    assert.deepEqual(pages.sort(), ['CHANGELOG.md', 'README.md', ...documents].sort())
    const commands = new Set<string>()
    for (const page of pages) {
      const text = readFileSync(join(installed, page), 'utf8')
      for (const [link, to] of text.matchAll(/\]\((?!https?:|#|(?:\.\.\/)*reference\/)([^)#]+)[^)]*\)/g))
        assert.ok(existsSync(join(installed, dirname(page), to!)), `${page}: ${link}`)
      for (const [, found] of text.matchAll(/bin\/quantd ((?:admin )?[a-z][a-z-]*)/g)) commands.add(found!)
      if (page !== 'CHANGELOG.md')
        for (const [, found] of text.matchAll(/`quantd ((?:admin )?[a-z][a-z-]*)/g)) commands.add(found!)
    }
    assert.ok(commands.size > 5)
    for (const words of commands) {
      const { status, stderr } = quantd(...words.split(' '), '--help')
      assert.equal(status, 0, `${words}: ${stderr}`)
    }
  })

  it('has recipes that install this tarball, as long as nobody owns its name', () => {
    const installed = join(cwd, 'node_modules/quantd')
    const { private: isPrivate } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const source = isPrivate ? `./${basename(packed.tarball)}` : 'quantd'
    for (const path of ['README.md', 'deploy/systemd/quantd.service']) {
      const [, from] =
        /npm install (?:--prefix \S+ )?(\S+)/.exec(readFileSync(join(installed, path), 'utf8')) ?? []
      assert.equal(from, source, path)
    }
  })

  it('has the version of the checkout, needs Node 24, and runs no script when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(cwd, 'node_modules/quantd/package.json'), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.equal(manifest.version, version)
    assert.equal(manifest.engines.node, '>=24')
    assert.equal(manifest.scripts, undefined)
  })

  it('pins the versions that were tested, without the development packages', () => {
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages
    const { '': manifest, ...pinned } = read(join(cwd, 'node_modules/quantd/npm-shrinkwrap.json'))
    const locked = read(join(root, 'package-lock.json'))
    for (const [path, entry] of Object.entries(pinned)) assert.deepEqual(entry, locked[path], path)
    assert.equal('node_modules/typescript' in pinned, false)
    // npm does not follow the shrinkwrap of a tarball, but the package names its own packages exactly.
    const installed = read(join(cwd, 'node_modules/.package-lock.json'))
    for (const [name, version] of Object.entries(manifest.dependencies))
      assert.equal(installed[`node_modules/${name}`].version, version, name)
    assert.equal('node_modules/typescript' in installed, false)
  })
})

describe('the installed command', () => {
  it('gives the first price within ten seconds of its installation', async () => {
    const seconds = await firstPrice()
    console.log(
      `measured: ${seconds.toFixed(1)} s from npx quantd serve to the first price, load ${load().toFixed(1)}`,
    )
    assert.ok(seconds <= FIRST_PRICE_SECONDS * Math.max(1, load()))
  })

  it('passes every reference vector of the checkout', () => {
    const { status, stdout, stderr } = quantd('selftest')
    assert.equal(status, 0, stdout + stderr)
    const cases = globSync('src/app/cli/selftest/vectors/*.json', { cwd: root })
      .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).cases.length)
      .reduce((sum, count) => sum + count, 0)
    assert.match(stdout, new RegExp(`\n${cases} cases, all within their tolerance\\.\n$`))
  })

  it('computes in its worker threads, and serves the console, the reference and the same OpenAPI document', async () => {
    const { url, service } = await serve({ QUANTD_DATA_DIR: join(folder, 'second') })
    const key = await createGuest(url)
    const rows = Array.from({ length: 5_000 }, (_, row) => [
      Math.sin(row),
      Math.cos(7 * row),
      row === 17 ? 99 : 0,
    ])
    const large = await request(`${url}/quantlib/ml/clustering/isolation-forest`, { key, body: { X: rows } })
    assert.equal(large.status, 200, large.text)

    const page = await request(`${url}/`)
    const linked = [...page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!)
    assert.ok(
      linked.some((path) => path.endsWith('.js')),
      page.text,
    )
    for (const path of [...linked, '/docs', '/assets/search.json', '/llms.txt', '/docs/operations.md'])
      assert.equal((await request(url + path)).status, 200, path)
    const { text } = await request(`${url}/openapi.json`)
    assert.ok(text === readFileSync(join(root, 'openapi.json'), 'utf8'), 'openapi.json differs')
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null])
  })

  it('runs several nodes on one port', async () => {
    const postgres = await startPostgres()
    after(() => postgres.stop())
    const { url, service } = await serve({
      QUANTD_PROCESSES: '2',
      QUANTD_DATA_DIR: join(folder, 'third'),
      DATABASE_URL: postgres.url,
      QUANTD_MASTER_KEY: TEST_MASTER_KEY,
    })
    assert.equal((await request(`${url}/readyz`)).status, 200)
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null])
  })

  it('administers and copies the database', () => {
    const file = join(folder, 'copy.db')
    const { status, stdout, stderr } = quantd('backup', file)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^Copied \d+ bytes to /)
    const verified = quantd('admin', 'verify-ledger')
    assert.equal(verified.status, 0, verified.stderr)
  })

  it('is called `npx quantd` in its help and messages, a command that works there', () => {
    assert.match(quantd('admin', 'show', '--help').stdout, /^Usage: npx quantd admin show /)
    const wrong = quantd('admin', 'show', 'nobody@example.org')
    assert.notEqual(wrong.status, 0)
    assert.equal(quantd('--version').stdout.trim(), packed.version)
    assert.match(quantd('serve', '--help').stdout, /\n#QUANTD_DATA_DIR=/)
    const misspelt = attempt('npx', ['quantd', 'serve'], { cwd, env: { ...env, QUANTD_DATADIR: 'x' } })
    assert.equal(
      misspelt.stderr,
      'quantd: QUANTD_DATADIR is not a setting of quantd; QUANTD_DATA_DIR is; the command "serve --help" lists the settings.\n',
    )
  })

  it('says in one line which package traces need', () => {
    const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', PORT: '0', METRICS_PORT: '0' }
    const { status, stderr } = attempt('npx', ['quantd', 'serve'], { cwd, env: traced })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^quantd: Tracing is configured [^\n]*: npm install @opentelemetry\/sdk-node, [^\n]*\n$/,
    )
  })

  it('says in one line that an older Node cannot run it', () => {
    const old = `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })
      process.argv = ['node', 'quantd.js', '--version']
      await import(${JSON.stringify(join(cwd, 'node_modules/quantd/bin/quantd.js'))})`
    const { status, stderr } = attempt(process.execPath, ['--input-type=module', '-e', old])
    assert.equal(status, 1)
    assert.match(stderr, /^quantd: Node 24 or newer is needed on \S+; this is Node 20\.0\.0\..*\n$/)
  })
})
