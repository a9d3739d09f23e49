/** deploy/compose.yaml with its variables filled in, as an engine reads it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { root, toolModule } from './command.ts'

export interface Service {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly configs?: readonly { readonly source: string }[]
  readonly depends_on?: Record<string, { readonly condition: string }>
  readonly read_only?: boolean
}

export interface Compose {
  readonly services: Record<string, Service>
  readonly volumes: Record<string, object>
  readonly configs: Record<string, { readonly content: string }>
}

export const SECRETS: Record<string, string> = {
  POSTGRES_PASSWORD: 'a'.repeat(32),
  QUANTD_MASTER_KEY: TEST_MASTER_KEY,
  METRICS_TOKEN: 'b'.repeat(64),
  GRAFANA_PASSWORD: 'c'.repeat(32),
}

export function readCompose(): Compose {
  const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
  const filled = text.replace(/\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/g, (_, name, absent) => {
    assert.ok(name in SECRETS || absent !== undefined, `${name} has no value`)
    return SECRETS[name] ?? absent
  })
  return toolModule('yaml').parse(filled, { merge: true })
}
