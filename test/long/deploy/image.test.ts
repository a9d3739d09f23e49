/**
 * The container image, built by buildah and run for real: no registry of images is reachable from here, so its two bases
 * are made of Debian's packages by mmdebstrap, and it runs in namespaces that unshare makes, as a container engine would
 * (own processes, read-only root, uid of the image, no capabilities, one volume).
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../support/free-port.ts'
import { otlpReceiver } from '../../support/otlp-receiver.ts'
import { createGuest, request } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { attempt, command, type Finished, newUser, program, root } from './command.ts'

const UID = 65532
const LARGEST_BYTES = 250e6
const PRICE = { S: 100, K: 90, T: 0.1, r: 0.1, sigma: 0.12, theta_vg: -0.14, nu: 0.2 }
const PACKAGES = { build: ['dash', 'coreutils', 'findutils'], base: [] }

const folder = temporaryFolder('image')
const STORE = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
const volume = join(folder, 'volume')
const running: ChildProcess[] = []
let image: string
let config: ImageConfig
let built: Finished

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Volumes: Record<string, object>
  readonly Labels: Record<string, string>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

before(() => {
  const startedAt = performance.now()
  importBase('quantd-build', baseTar('build', PACKAGES.build), installNode)
  importBase('quantd-base', baseTar('base', PACKAGES.base))
  built = build('--tag', 'quantd')
  assert.equal(built.status, 0, built.stdout + built.stderr)
  console.log(`measured: built in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  const container = buildah('from', 'localhost/quantd').trim()
  image = buildah('mount', container).trim()
  config = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/quantd')).Docker.config
  // An engine makes the place where it mounts /proc.
  mkdirSync(join(image, 'proc'), { recursive: true })
  mkdirSync(volume)
  chownSync(volume, UID, UID)
})

after(() => {
  for (const child of running) kill(child)
  buildah('umount', '--all')
})

function buildah(...args: string[]): string {
  return command(program('buildah'), [...STORE, ...args])
}

/** Builds the image from the two bases, with further options. */
function build(...options: string[]): Finished {
  return attempt(program('buildah'), [
    ...[...STORE, 'build', '--isolation', 'chroot', '--format', 'docker', ...options],
    ...['--build-arg', 'BUILD=localhost/quantd-build', '--build-arg', 'BASE=localhost/quantd-base'],
    ...['--file', 'deploy/Dockerfile', root],
  ])
}

/** A root file system of Debian's packages, unpacked without running any of their scripts. */
function baseTar(name: string, packages: readonly string[]): string {
  const file = join(folder, `${name}.tar`)
  const include = ['libc6', 'libstdc++6', ...packages].join(',')
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  assert.ok(suite, 'the tests of the image run on Debian')
  command(program('mmdebstrap'), ['--quiet', '--variant=extract', `--include=${include}`, suite, file])
  return file
}

function importBase(name: string, tar: string, change?: (files: string) => void): void {
  const container = buildah('from', 'scratch').trim()
  buildah('add', '--quiet', container, tar, '/')
  change?.(buildah('mount', container).trim())
  buildah('commit', '--quiet', '--rm', container, `localhost/${name}`)
}

/** Copies Node and npm of this machine, and npm's way to its registry, to where the official images have them. */
function installNode(files: string): void {
  const npm = dirname(dirname(realpathSync(program('npm'))))
  const local = join(files, 'usr/local')
  for (const path of ['bin', 'etc', 'lib/node_modules']) mkdirSync(join(local, path), { recursive: true })
  copyFileSync(process.execPath, join(local, 'bin/node'))
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const settings = Object.entries(newUser('/')).flatMap(([name, value]) => {
    const key = /^npm_config_(registry|cafile|proxy|https_proxy)$/.exec(name)?.[1]?.replace('_', '-')
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  writeFileSync(join(local, 'etc/npmrc'), settings.map(([key, value]) => `${key}=${value}\n`).join(''))
  for (const [key, value] of settings)
    if (key === 'cafile') {
      mkdirSync(join(files, dirname(value)), { recursive: true })
      copyFileSync(value, join(files, value))
    }
}

interface Run {
  readonly port?: number
  readonly args?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts the image's command as a container engine would; HOST keeps it on the loopback interface of this machine. */
async function run({ port = 0, args = config.Cmd, settings = {} }: Run) {
  const data = join(image, Object.keys(config.Volumes)[0])
  const mounts = [
    'mount --make-rprivate /',
    `mount --bind ${image} ${image}`,
    `mount --bind ${volume} ${data}`,
    `mount -o remount,bind,ro ${image}`,
    `mount -t proc proc ${join(image, 'proc')}`,
  ]
  const enter = `exec ${program('setpriv', 'util-linux')} --no-new-privs ${program('chroot', 'coreutils')} --userspec=${config.User} --groups= ${image} "$@"`
  const child = spawn(
    program('unshare', 'util-linux'),
    [
      ...['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'],
      ...['sh', '-c', [...mounts, enter].join(' && '), 'sh', ...config.Entrypoint, ...args],
    ],
    {
      env: {
        ...fromImage(),
        HOST: '127.0.0.1',
        PORT: String(port),
        METRICS_PORT: '0',
        QUANTD_IP_LIMITS: 'off',
        ...settings,
      },
    },
  )
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, url: `http://127.0.0.1:${port}` }
}

const fromImage = () =>
  Object.fromEntries(
    config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

async function serve(settings: Readonly<Record<string, string>> = {}) {
  const container = await run({ port: await freePort(), settings })
  await until(() => {
    assert.equal(container.child.exitCode, null, container.output())
    return container.output().includes('/docs')
  }, 'the container serves')
  return container
}

/** The process ids of the service as this machine sees them: the child of unshare. */
const serviceOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

/** Kills the container with its service, which has changed its user and would outlive unshare. */
function kill(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) process.kill(serviceOf(child), 'SIGKILL')
}

/** Sends SIGTERM to the container's first process, as `docker stop` does; returns the exit code. */
async function stop(child: ChildProcess): Promise<number | null> {
  process.kill(serviceOf(child), 'SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

describe('the image', () => {
  it('takes at most 250 MB', () => {
    const bytes = Number(command('du', ['--summarize', '--bytes', image]).split('\t')[0])
    console.log(`measured: ${(bytes / 1e6).toFixed(1)} MB unpacked, user ${config.User}`)
    assert.ok(bytes <= LARGEST_BYTES, `${bytes} bytes`)
  })

  it('names its base, and its build says in one line that bases given by a tag are not pinned', () => {
    assert.equal(config.Labels['org.opencontainers.image.base.name'], 'localhost/quantd-base')
    const lines = (built.stdout + built.stderr).match(/^quantd: .*$/gm)
    assert.deepEqual(lines, [
      'quantd: BUILD and BASE are not both pinned by a digest: a later build may start from other images',
    ])
  })

  it('is not built with PINNED=required from bases given by a tag, as a release asks', () => {
    const { status, stderr } = build('--build-arg', 'PINNED=required', '--tag', 'refused')
    assert.notEqual(status, 0)
    assert.match(stderr, /^quantd: BUILD and BASE are not both pinned by a digest/m)
  })

  it('is built from a copy of the checkout without keys, certificates and settings', () => {
    const context = join(folder, 'context')
    const names = [
      '.env',
      'tls.key',
      'deploy/.env',
      'deploy/db-ca.pem',
      'deploy/proxies/tls.key',
      'package.json',
    ]
    for (const name of names) {
      mkdirSync(dirname(join(context, name)), { recursive: true })
      writeFileSync(join(context, name), '')
    }
    const container = buildah('from', 'scratch').trim()
    const ignored = ['--ignorefile', join(root, '.dockerignore'), '--contextdir', context]
    buildah('add', '--quiet', ...ignored, container, context, '/')
    const sent = readdirSync(buildah('mount', container).trim(), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      sent.filter((entry) => entry.isFile()).map(({ name }) => name),
      ['package.json'],
    )
  })

  it('runs as a user with a fixed number, who owns the volume alone', () => {
    assert.equal(config.User, `${UID}:${UID}`)
    assert.deepEqual(Object.keys(config.Volumes), ['/data'])
    assert.equal(statSync(join(image, 'data')).uid, UID)
    const owned = command('find', [image, '-xdev', '-uid', String(UID), '-not', '-path', join(image, 'data')])
    assert.equal(owned, '')
  })

  it('holds no shell, no package manager and no TypeScript', () => {
    const programs = ['usr/bin', 'usr/sbin', 'bin', 'sbin', 'usr/local/bin'].flatMap((path) =>
      existsSync(join(image, path)) ? readdirSync(join(image, path)) : [],
    )
    assert.deepEqual([...new Set(programs)].sort(), ['node', 'quantd'])
    assert.equal(existsSync(join(image, 'app/node_modules/typescript')), false)
    assert.equal(existsSync(join(image, 'src')), false)
  })

  it('prices on a read-only root, as the first process and without capabilities', async () => {
    const { child, url } = await serve()
    const key = await createGuest(url)
    const reply = await request(`${url}/quantlib/models/variance-gamma/price`, { key, body: PRICE })
    assert.deepEqual(reply.body, { success: true, data: { vg_call_price: 10.99370318672906 } })
    const status = readFileSync(`/proc/${serviceOf(child)}/status`, 'utf8')
    assert.match(status, new RegExp(`^Uid:\t${UID}\t${UID}\t${UID}\t${UID}$`, 'm'))
    assert.match(status, /^NSpid:\t\d+\t1$/m)
    assert.match(status, /^CapEff:\t0+$/m)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    assert.equal(await stop(child), 0)
  })

  it('survives a restart with its volume, and stops with code 0 on SIGTERM', async () => {
    const first = await serve()
    const key = await createGuest(first.url)
    const call = (url: string) => request(`${url}/quantlib/models/variance-gamma/price`, { key, body: PRICE })
    assert.equal((await call(first.url)).headers.get('x-credits-remaining'), '49')
    assert.equal(await stop(first.child), 0)
    const second = await serve()
    assert.equal((await call(second.url)).headers.get('x-credits-remaining'), '48')
    assert.equal(await stop(second.child), 0)
  })

  it('sends traces by the standard settings, with nothing else to install', async () => {
    const receiver = await otlpReceiver()
    const { child, url } = await serve(receiver.settings)
    await createGuest(url)
    assert.equal(await stop(child), 0)
    receiver.close()
    assert.ok(
      receiver.spans.some(({ name }) => name === 'POST /guest/create'),
      JSON.stringify(receiver.spans),
    )
  })

  it('reports its health by a command without a shell', async () => {
    const { child, url } = await serve()
    const [kind, file, ...args] = config.Healthcheck.Test
    assert.equal(kind, 'CMD')
    const port = url.slice(url.lastIndexOf(':') + 1)
    const check = (at: string) =>
      attempt(
        program('chroot', 'coreutils'),
        [`--userspec=${config.User}`, '--groups=', image, file!, ...args],
        { env: { ...fromImage(), PORT: at } },
      )
    const healthy = check(port)
    assert.equal(healthy.status, 0, `${file} ${args.join(' ')}\n${healthy.stdout}${healthy.stderr}`)
    assert.equal(await stop(child), 0)
    assert.equal(check(port).status, 1)
  })

  it('runs the other commands too, under the name that they print', async () => {
    const { child, output } = await run({ args: ['admin', 'show', '--help'] })
    assert.deepEqual(await once(child, 'close'), [0, null])
    assert.match(output(), /^Usage: quantd admin show /)
    const selftest = await run({ args: ['selftest'] })
    assert.deepEqual(await once(selftest.child, 'close'), [0, null])
    assert.match(selftest.output(), /cases, all within their tolerance\./)
  })
})
