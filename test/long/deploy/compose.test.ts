/**
 * deploy/compose.yaml as far as it can be checked without an engine and its images: the schema of the Compose specification,
 * the rules of a linter, names, files and settings. topology.test.ts runs its services without containers.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { attempt, root, tool } from './command.ts'
import { type Compose, readCompose, SECRETS, type Service } from './compose.ts'

/** Rules about order and quotes, and one that refuses the port of the proxy, which is published on purpose. */
const OTHER_RULES = [
  ...['no-quotes-in-volumes', 'require-quotes-in-ports', 'service-keys-order', 'services-alphabetical-order'],
  ...['top-level-properties-order', 'no-unbound-port-interfaces'],
]

const lint = (path: string) =>
  attempt(process.execPath, [
    ...[tool('dclint'), path, '--no-color', '--max-warnings', '0'],
    ...OTHER_RULES.flatMap((rule) => ['--disable-rule', rule]),
  ])

const file = join(root, 'deploy/compose.yaml')
const folder = temporaryFolder('compose')
let compose: Compose
let nodes: [string, Service][]

before(() => {
  compose = readCompose()
  nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('node'))
})

describe('the compose file', () => {
  it('follows the schema of the Compose specification, and the rules of its linter', () => {
    const { status, stdout, stderr } = lint(file)
    assert.equal(status, 0, stdout + stderr)
  })

  it('is checked by a linter that finds a misspelt key and an image without a version', () => {
    const text = readFileSync(file, 'utf8')
    const wrong = (name: string, from: string | RegExp, to: string): string => {
      assert.notEqual(text.replace(from, to), text)
      writeFileSync(join(folder, `${name}.yaml`), text.replace(from, to))
      const { status, stdout } = lint(join(folder, `${name}.yaml`))
      assert.equal(status, 1)
      return stdout
    }
    assert.match(wrong('key', 'stop_grace_period:', 'stop_grace_perid:'), /invalid-schema/)
    assert.match(wrong('tag', /(?<=postgres):17\S*/, ''), /service-image-require-explicit-tag/)
  })

  it('has two nodes whose settings the service accepts', () => {
    assert.equal(nodes.length, 2)
    for (const [, { environment, read_only }] of nodes) {
      const config = readConfig(environment!)
      assert.equal(new URL(config.databaseUrl!).hostname, 'postgres')
      assert.equal(config.masterKey, TEST_MASTER_KEY)
      assert.equal(read_only, true)
    }
  })

  it('makes every secret that it needs by the commands at its head', () => {
    const text = readFileSync(file, 'utf8')
    const head = text.slice(0, text.indexOf('\nname:'))
    for (const name of Object.keys(SECRETS)) assert.ok(head.includes(`${name}=%s`), name)
  })

  it('mounts files, volumes and contents that exist, and depends on services that exist', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const mount of service.volumes ?? []) {
        const [source = ''] = mount.split(':')
        const exists = source.startsWith('.')
          ? existsSync(join(root, 'deploy', source))
          : source in compose.volumes
        assert.ok(exists, `${name}: ${mount}`)
      }
      for (const { source } of service.configs ?? [])
        assert.ok(source in compose.configs, `${name}: ${source}`)
      for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in compose.services, other)
    }
  })

  it('names the nodes to the proxy and to Prometheus, and publishes only the proxy beyond this machine', () => {
    const names = nodes.map(([name]) => name)
    assert.equal(
      compose.services.proxy!.environment!.QUANTD_NODES,
      names.map((name) => `${name}:8080`).join(' '),
    )
    for (const name of names) assert.ok(compose.configs.prometheus!.content.includes(`${name}:9464`))
    const published = Object.entries(compose.services).filter(([, { ports = [] }]) =>
      ports.some((port) => !port.startsWith('127.0.0.1:')),
    )
    assert.deepEqual(
      published.map(([name]) => name),
      ['proxy'],
    )
  })
})
