/** deploy/compose.yaml as far as it can be checked without an engine: names, files, settings. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { TEST_MASTER_KEY } from '../service.ts'
import { root, toolModule } from './command.ts'

interface Service {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly configs?: readonly { readonly source: string }[]
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly read_only?: boolean
}

interface Compose {
  readonly services: Record<string, Service>
  readonly volumes: Record<string, object>
  readonly configs: Record<string, { readonly content: string }>
}

const SECRETS: Record<string, string> = {
  POSTGRES_PASSWORD: 'a'.repeat(32),
  QUANTD_MASTER_KEY: TEST_MASTER_KEY,
  METRICS_TOKEN: 'b'.repeat(64),
  GRAFANA_PASSWORD: 'c'.repeat(32),
}

let compose: Compose
let nodes: [string, Service][]

before(() => {
  const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
  const filled = text.replace(/\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/g, (_, name, absent) => {
    assert.ok(name in SECRETS || absent !== undefined, `${name} has no value`)
    return SECRETS[name] ?? absent
  })
  compose = toolModule('yaml').parse(filled, { merge: true })
  nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('node'))
})

describe('the compose file', () => {
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
    const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
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
