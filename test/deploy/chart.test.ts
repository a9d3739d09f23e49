/**
 * The Helm chart, rendered by the libraries that Helm is built on (render/main.go) and checked against the schemas and the
 * types of the Kubernetes API. No package registry within reach has Helm or a cluster, so neither has run here.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { TEST_MASTER_KEY } from '../service.ts'
import { attempt, command, program, root, toolModule, toolPath } from './command.ts'

type Values = { readonly [name: string]: unknown }

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: the tests read into any kind
  readonly spec: any
}

interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } }
}

const chart = join(root, 'deploy/chart')
const folder = mkdtempSync(join(tmpdir(), 'quantd-chart-'))
const renderer = join(folder, 'render')
const checked = toolPath('.rendered')

const SECRETS: Record<string, string> = {
  'database-url': 'postgres://quantd@db:5432/quantd',
  'master-key': TEST_MASTER_KEY,
  'metrics-token': 'a'.repeat(64),
  'smtp-url': 'smtps://user:password@mail.example.org:465',
}

/** Each part of the chart switched on. */
const EVERYTHING: Values = {
  image: { repository: 'registry.example.org/quantd', tag: '9.9.9' },
  imagePullSecrets: [{ name: 'registry' }],
  secret: { smtpUrl: 'smtp-url' },
  settings: { QUANTD_PROCESSES: 2, QUANTD_AUDIT_RETENTION_DAYS: 365 },
  autoscaling: { enabled: true },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'finance', effect: 'NoSchedule' }],
  podAnnotations: { note: 'yes' },
  ingress: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  admin: { command: ['admin', 'set-tier', 'ada@example.org', 'pro'] },
}

before(() => {
  const go = program('go', 'golang-go')
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    // Debian's packages golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev.
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  }
  command(go, ['build', '-o', renderer, './test/deploy/render'], { env })
})

after(() => rmSync(folder, { recursive: true, force: true }))

const yaml = () =>
  toolModule('yaml') as { parse(text: string): never; parseAllDocuments(text: string): Parsed[] }
interface Parsed {
  readonly errors: readonly Error[]
  toJS(): Manifest | null
}

const read = (file: string) => readFileSync(join(chart, file), 'utf8')

/** Helm merges objects; everything else is replaced. */
function merged(base: Values, over: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(over).map(([name, value]) => {
    const own = base[name]
    return [name, isObject(own) && isObject(value) ? merged(own, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

const valuesWith = (over: Values) => merged(yaml().parse(read('values.yaml')), over)

function rendering(over: Values) {
  const { name, version, appVersion } = yaml().parse(read('Chart.yaml')) as Record<string, string>
  const input = JSON.stringify({
    Values: valuesWith(over),
    Release: { Name: 'pricing', Namespace: 'default', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  })
  return attempt(renderer, [chart], { input })
}

function rendered(over: Values): Manifest[] {
  const { status, stdout, stderr } = rendering(over)
  assert.equal(status, 0, stderr)
  return Object.entries<string>(JSON.parse(stdout)).flatMap(([file, text]) =>
    yaml()
      .parseAllDocuments(text)
      .flatMap((document) => {
        assert.deepEqual(document.errors, [], `${file}\n${text}`)
        const manifest = document.toJS()
        return manifest === null ? [] : [manifest]
      }),
  )
}

const kindsOf = (manifests: readonly Manifest[]): string[] => manifests.map(({ kind }) => kind).sort()

/** The module that has the class of a kind. */
const moduleOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`

/** Throws if a manifest violates the schema of its kind. */
async function validate(manifest: Manifest): Promise<void> {
  const module = await import(pathToFileURL(resolved(moduleOf(manifest))).href)
  new module[manifest.kind](manifest).validate()
}

const resolved = (module: string): string => join(toolPath(module), 'index.js')

/** Errors of the compiler about the manifests as values of their types, which name every field of the API. */
function complaints(manifests: readonly Manifest[]): string {
  mkdirSync(checked, { recursive: true })
  const file = join(checked, 'rendered.ts')
  const lines = manifests.map((manifest, index) => {
    const { apiVersion: _, kind, ...rest } = manifest
    const name = `Kind${index}`
    return `import { ${kind} as ${name} } from '${moduleOf(manifest)}'\nnew ${name}(${JSON.stringify(rest)})\n`
  })
  writeFileSync(file, lines.join(''))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ]
  return attempt(process.execPath, [tsc, ...options, '--target', 'esnext', '--types', '', file], {
    cwd: checked,
  }).stdout
}

const isValid = (values: Values): boolean => {
  const Ajv = toolModule('ajv').default
  return new Ajv({ allowUnionTypes: true }).validate(JSON.parse(read('values.schema.json')), values)
}

/** The environment of a container with the secrets filled in. */
const environmentOf = ({ spec }: Manifest): Record<string, string> =>
  Object.fromEntries(
    (spec.template.spec.containers[0].env as EnvironmentVariable[]).map(({ name, value, valueFrom }) => [
      name,
      value ?? SECRETS[valueFrom!.secretKeyRef.key]!,
    ]),
  )

describe('the chart', () => {
  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { version: own, appVersion } = yaml().parse(read('Chart.yaml')) as Record<string, string>
    assert.deepEqual([own, appVersion], [version, version])
  })

  it('renders what an installation needs and nothing more by default', () => {
    assert.deepEqual(kindsOf(rendered({})), ['Deployment', 'Job', 'PodDisruptionBudget', 'Service'])
  })

  it('renders every part that can be switched on', () => {
    assert.deepEqual(kindsOf(rendered(EVERYTHING)), [
      ...['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'Job', 'PodDisruptionBudget', 'Service'],
      'ServiceMonitor',
    ])
  })

  it('renders manifests that the schemas and the types of the Kubernetes API accept', async () => {
    const manifests = [...rendered({}), ...rendered(EVERYTHING)]
    for (const manifest of manifests) await validate(manifest)
    assert.equal(complaints(manifests), '')
  })

  it('is checked by schemas and types that find a wrong value and a misspelt field', async () => {
    const [deployment] = rendered({}).filter(({ kind }) => kind === 'Deployment')
    await assert.rejects(validate({ ...deployment!, spec: { ...deployment!.spec, replicas: 'two' } }))
    const misspelt = { ...deployment!, spec: { ...deployment!.spec, replica: 2 } }
    assert.match(complaints([misspelt]), /'"replica"' does not exist/)
  })

  it('has values that its own schema accepts, and refuses a misspelt one', () => {
    assert.equal(isValid(valuesWith({})), true)
    assert.equal(isValid(valuesWith(EVERYTHING)), true)
    assert.equal(isValid(valuesWith({ replcas: 3 })), false)
    assert.equal(isValid(valuesWith({ image: { repository: '' } })), false)
  })

  it('gives the service settings that it accepts', () => {
    for (const manifest of [...rendered({}), ...rendered(EVERYTHING)])
      if (manifest.kind === 'Deployment' || manifest.kind === 'Job') {
        const config = readConfig(environmentOf(manifest))
        assert.equal(config.databaseUrl, SECRETS['database-url'])
        assert.equal(config.masterKey, TEST_MASTER_KEY)
      }
  })

  it('runs without privileges, on a read-only root, as the user of the image', () => {
    const image = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    for (const { kind, spec } of rendered(EVERYTHING))
      if (kind === 'Deployment' || kind === 'Job') {
        const pod = spec.template.spec
        const { runAsUser, runAsNonRoot, seccompProfile } = pod.securityContext
        assert.ok(image.includes(`USER ${runAsUser}:${runAsUser}`))
        assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }])
        assert.deepEqual(pod.containers[0].securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.equal(pod.automountServiceAccountToken, false)
      }
  })

  it('leaves the number of replicas to the autoscaler where there is one', () => {
    const replicas = (over: Values) => rendered(over).find(({ kind }) => kind === 'Deployment')!.spec.replicas
    assert.equal(replicas({ replicas: 3 }), 3)
    assert.equal(replicas({ autoscaling: { enabled: true } }), undefined)
  })

  it('refuses a ServiceMonitor without a token in one line', () => {
    const { status, stderr } = rendering({ secret: { metricsToken: '' }, serviceMonitor: { enabled: true } })
    assert.equal(status, 1)
    assert.match(stderr, /serviceMonitor needs secret\.metricsToken/)
  })
})
