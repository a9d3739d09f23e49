/**
 * The Helm chart, linted, rendered and packed by Helm, and checked against the schemas and the types of the Kubernetes API.
 * No cluster has run it here.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { root, toolModule, toolPath } from './command.ts'
import { openHelm } from './helm.ts'
import { typeErrors } from './type-errors.ts'

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
const folder = temporaryFolder('chart')
let helm: ReturnType<typeof openHelm>

const SECRETS: Record<string, string> = {
  'database-url':
    'postgres://quantd@db1:5432,db2:5432/quantd?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=/run/secrets/quantd/database-ca.pem',
  'replica-url': 'postgres://quantd@db1:5432,db2:5432/quantd?sslmode=verify-full',
  'master-key': TEST_MASTER_KEY,
  'metrics-token': 'a'.repeat(64),
  'smtp-url': 'smtps://user:password@mail.example.org:465',
}

const ZONE = 'topology.kubernetes.io/zone'
const ANTI_AFFINITY = {
  weight: 1,
  podAffinityTerm: { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'database' } } },
}
const DATABASE_RULE = { ports: [{ port: 5432 }], to: [{ ipBlock: { cidr: '10.2.0.0/24' } }] }

/** Each part of the chart switched on. */
const EVERYTHING: Values = {
  image: { repository: 'registry.example.org/quantd', tag: '9.9.9' },
  imagePullSecrets: [{ name: 'registry' }],
  secret: { replicaUrl: 'replica-url', smtpUrl: 'smtp-url' },
  settings: {
    QUANTD_PROCESSES: 2,
    QUANTD_AUDIT_RETENTION_DAYS: 365,
    QUANTD_BODY_LIMIT: 33_554_432,
    QUANTD_TRUSTED_PROXIES: '10.1.2.0/24',
  },
  autoscaling: { enabled: true },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'finance', effect: 'NoSchedule' }],
  podAnnotations: { note: 'yes' },
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [ANTI_AFFINITY] } },
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }],
  data: { sizeLimit: '256Mi' },
  ingress: { enabled: true, className: 'haproxy', annotations: { 'haproxy.org/timeout-server': '75s' } },
  httpRoute: {
    enabled: true,
    parentRefs: [{ name: 'public', namespace: 'gateways' }],
    timeouts: { request: '75s' },
    annotations: { note: 'yes' },
  },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'gateways' } } }],
    egress: [DATABASE_RULE],
    metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  extraVolumes: [{ name: 'mail-ca', configMap: { name: 'mail-ca' } }],
  extraVolumeMounts: [{ name: 'mail-ca', mountPath: '/etc/ssl/mail', readOnly: true }],
  admin: { command: ['admin', 'grant', 'ada@example.org', 5_000_000] },
}

before(() => {
  helm = openHelm(folder)
})

const yaml = () =>
  toolModule('yaml') as { parse(text: string): never; parseAllDocuments(text: string): Parsed[] }
interface Parsed {
  readonly errors: readonly Error[]
  toJS(): Manifest | null
}

const read = (file: string) => readFileSync(join(chart, file), 'utf8')

let files = 0

/** The arguments of a command of Helm that uses these values over those of the chart. */
function withValues(over: Values): string[] {
  const file = join(folder, `values-${++files}.yaml`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(over))
  return [chart, '--values', file]
}

const rendering = (over: Values) => helm('template', 'pricing', ...withValues(over))

function rendered(over: Values): Manifest[] {
  const { status, stdout, stderr } = rendering(over)
  assert.equal(status, 0, stderr)
  return yaml()
    .parseAllDocuments(stdout)
    .flatMap((document) => {
      assert.deepEqual(document.errors, [], stdout)
      const manifest = document.toJS()
      return manifest === null ? [] : [manifest]
    })
}

/** What the NetworkPolicy says. */
const policy = (over: Values) => rendered(over).find(({ kind }) => kind === 'NetworkPolicy')?.spec

const kindsOf = (manifests: readonly Manifest[]): string[] => manifests.map(({ kind }) => kind).sort()

/** The packages with the kinds of other groups than those of Kubernetes itself. */
const PACKAGES: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
}

/** The module that has the class of a kind. */
const moduleOf = ({ apiVersion }: Manifest): string => {
  const [group] = apiVersion.split('/')
  return `${PACKAGES[group!] ?? 'kubernetes-models'}/${apiVersion}`
}

/** Throws if a manifest violates the schema of its kind. */
async function validate(manifest: Manifest): Promise<void> {
  const module = await import(pathToFileURL(resolved(moduleOf(manifest))).href)
  new module[manifest.kind](manifest).validate()
}

const resolved = (module: string): string => toolPath(join(module, 'index.js'))

/** Errors of the compiler about the manifests as values of their types, which name every field of the API. */
const complaints = (manifests: readonly Manifest[]): string =>
  typeErrors(
    manifests
      .map((manifest, index) => {
        const { apiVersion: _, kind, ...rest } = manifest
        const name = `Kind${index}`
        return `import { ${kind} as ${name} } from '${moduleOf(manifest)}'\nnew ${name}(${JSON.stringify(rest)})\n`
      })
      .join(''),
  )

/** The environment of a container with the secrets filled in. */
const environmentOf = ({ spec }: Manifest): Record<string, string> =>
  Object.fromEntries(
    (spec.template.spec.containers[0].env as EnvironmentVariable[]).map(({ name, value, valueFrom }) => [
      name,
      value ?? SECRETS[valueFrom!.secretKeyRef.key],
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
      ...['Deployment', 'HTTPRoute', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'Job', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service', 'ServiceMonitor'],
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

  it('has no complaint from the linter of Helm, whichever part is switched on', () => {
    for (const over of [{}, EVERYTHING]) {
      const { status, stdout, stderr } = helm('lint', '--strict', ...withValues(over))
      assert.equal(status, 0, stdout + stderr)
      assert.match(stdout, /1 chart\(s\) linted, 0 chart\(s\) failed/)
      assert.doesNotMatch(stdout, /\[(WARNING|ERROR)\]/)
    }
  })

  it('refuses values that its schema does not allow, and names them', () => {
    assert.match(rendering({ replcas: 3 }).stderr, /additional properties 'replcas' not allowed/)
    assert.match(rendering({ image: { repository: '' } }).stderr, /\/image\/repository/)
  })

  it('is packed for a registry under its version', () => {
    const { status, stdout, stderr } = helm('package', chart, '--destination', folder)
    assert.equal(status, 0, stderr)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.ok(stdout.includes(`/quantd-${version}.tgz`), stdout)
  })

  it('gives the service settings that it accepts', () => {
    for (const [over, replicaUrl] of [[{}, null] as const, [EVERYTHING, SECRETS['replica-url']] as const])
      for (const manifest of rendered(over))
        if (manifest.kind === 'Deployment' || manifest.kind === 'Job') {
          const config = readConfig(environmentOf(manifest))
          assert.equal(config.databaseUrl, SECRETS['database-url'])
          assert.equal(config.replicaUrl, replicaUrl)
          assert.equal(config.masterKeyFile, '/run/secrets/quantd/master-key')
          assert.equal(config.bodyLimitBytes, over === EVERYTHING ? 33_554_432 : 16_777_216)
          assert.deepEqual(config.trustedProxies, over === EVERYTHING ? ['10.1.2.0/24'] : [])
          assert.deepEqual(config.warnings, [])
        }
  })

  it('mounts the master key and the certificate authority of the database, readable by its group alone', () => {
    for (const { kind, spec } of rendered(EVERYTHING))
      if (kind === 'Deployment' || kind === 'Job') {
        const { containers, volumes } = spec.template.spec
        assert.deepEqual(
          volumes.find(({ name }: { name: string }) => name === 'secrets'),
          {
            name: 'secrets',
            secret: {
              secretName: 'quantd',
              defaultMode: 0o440,
              items: [
                { key: 'master-key', path: 'master-key' },
                { key: 'database-ca', path: 'database-ca.pem' },
              ],
            },
          },
        )
        const mounts = containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
        assert.deepEqual(mounts, ['/data', '/run/secrets/quantd', '/etc/ssl/mail'])
        assert.ok(containers[0].resources.limits.memory)
      }
  })

  it('runs the command of the operator once, after the installation, with its numbers in full', () => {
    const job = rendered(EVERYTHING).find(({ metadata }) => metadata.name === 'pricing-admin')
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'post-install')
    assert.deepEqual(job?.spec.template.spec.containers[0].args, [
      ...['admin', 'grant', 'ada@example.org', '5000000'],
    ])
  })

  it('closes the metrics to everybody but the peers that are named', () => {
    const least = { networkPolicy: { enabled: true, egress: [DATABASE_RULE] } }
    assert.deepEqual(policy(least).ingress, [{ ports: [{ port: 'http' }] }])
    const [calls, metrics] = policy(EVERYTHING).ingress
    const portsOf = ({ ports }: { ports: { port: string }[] }) => ports.map(({ port }) => port)
    assert.deepEqual([portsOf(calls), portsOf(metrics)], [['http'], ['metrics', 'metrics-2']])
    assert.deepEqual([calls.from.length, metrics.from.length], [1, 1])
  })

  it('lets service and Jobs connect to DNS and to what is named, and is refused if nothing is', () => {
    const { egress, podSelector, policyTypes } = policy(EVERYTHING)
    assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
    const dns = ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol }))
    assert.deepEqual(egress, [{ ports: dns }, DATABASE_RULE])
    const names = rendered(EVERYTHING).flatMap(({ kind, spec }) =>
      kind === 'Deployment' || kind === 'Job'
        ? [spec.template.metadata.labels['app.kubernetes.io/name'] as string]
        : [],
    )
    assert.deepEqual(podSelector.matchExpressions[0].values.sort(), names.sort())
    const { status, stderr } = rendering({ networkPolicy: { enabled: true } })
    assert.equal(status, 1)
    assert.match(stderr, /networkPolicy needs networkPolicy\.egress: the database at least/)
  })

  it('refuses an ingress and a route whose address is not trusted, and a route without a gateway', () => {
    const trusted = { QUANTD_TRUSTED_PROXIES: '10.1.2.0/24' }
    for (const [over, reason] of [
      [{ ingress: { enabled: true } }, /ingress needs settings\.QUANTD_TRUSTED_PROXIES/],
      [{ httpRoute: { enabled: true } }, /httpRoute needs settings\.QUANTD_TRUSTED_PROXIES/],
      [{ httpRoute: { enabled: true }, settings: trusted }, /httpRoute needs httpRoute\.parentRefs/],
    ] as const) {
      const { status, stderr } = rendering(over)
      assert.equal(status, 1)
      assert.match(stderr, reason)
    }
  })

  it('leaves the class of an Ingress to the cluster, and assumes no controller', () => {
    const over = { ingress: { enabled: true }, settings: { QUANTD_TRUSTED_PROXIES: '10.1.2.0/24' } }
    const { metadata, spec } = rendered(over).find(({ kind }) => kind === 'Ingress')!
    assert.deepEqual([metadata.annotations, spec.ingressClassName], [undefined, undefined])
    for (const file of ['values.yaml', 'templates/ingress.yaml']) assert.doesNotMatch(read(file), /nginx/)
  })

  it('routes a gateway to the port of the service', () => {
    const manifests = rendered(EVERYTHING)
    const { spec } = manifests.find(({ kind }) => kind === 'HTTPRoute')!
    const service = manifests.find(({ kind }) => kind === 'Service')!
    assert.deepEqual(spec, {
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['quantd.example.org'],
      rules: [
        {
          backendRefs: [{ name: service.metadata.name, port: service.spec.ports[0].port }],
          timeouts: { request: '75s' },
        },
      ],
    })
  })

  it('spreads the pods over machines, or as the values say, by the labels that select them', () => {
    const podOf = (over: Values) => {
      const { template, selector } = rendered(over).find(({ kind }) => kind === 'Deployment')!.spec
      const [{ labelSelector, ...spread }] = template.spec.topologySpreadConstraints
      assert.deepEqual(labelSelector, selector)
      return { affinity: template.spec.affinity, spread }
    }
    const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable,
    })
    assert.deepEqual(podOf({}), {
      affinity: undefined,
      spread: spread('kubernetes.io/hostname', 'ScheduleAnyway'),
    })
    assert.deepEqual(podOf(EVERYTHING), {
      affinity: EVERYTHING.affinity,
      spread: spread(ZONE, 'DoNotSchedule'),
    })
  })

  it('limits the data folder of each pod', () => {
    for (const [over, sizeLimit] of [[{}, '1Gi'] as const, [EVERYTHING, '256Mi'] as const])
      for (const { kind, spec } of rendered(over))
        if (kind === 'Deployment' || kind === 'Job')
          assert.deepEqual(spec.template.spec.volumes[0], { name: 'data', emptyDir: { sizeLimit } })
  })

  it('says after the installation where the service is, and what is not switched on', () => {
    const notes = (over: Values) => {
      const { status, stdout, stderr } = helm(
        ...['install', 'pricing', '--dry-run=client', '--namespace', 'finance'],
        ...withValues(over),
      )
      assert.equal(status, 0, stderr)
      return stdout.slice(stdout.indexOf('NOTES:'))
    }
    const least = notes({})
    assert.match(least, /kubectl -n finance port-forward service\/pricing 8080:80$/m)
    assert.match(least, /kubectl -n finance exec deploy\/pricing -- quantd admin create /)
    assert.match(least, /^No mail is sent: secret\.smtpUrl is unset/m)
    assert.match(least, /networkPolicy\.enabled is false/)
    const most = notes(EVERYTHING)
    assert.match(most, /^ {2}https:\/\/quantd\.example\.org\/$/m)
    assert.doesNotMatch(most, /port-forward|No mail|is false/)
  })

  it('has a port for the metrics of every node of a pod', () => {
    const manifests = rendered(EVERYTHING)
    const specOf = (name: string) => manifests.find(({ kind }) => kind === name)!.spec
    const ports = [
      { name: 'metrics', number: 9464 },
      { name: 'metrics-2', number: 9465 },
    ]
    const [, ...exposed] = specOf('Deployment').template.spec.containers[0].ports
    assert.deepEqual(
      exposed,
      ports.map(({ name, number }) => ({ name, containerPort: number })),
    )
    const [, ...served] = specOf('Service').ports
    assert.deepEqual(
      served,
      ports.map(({ name, number }) => ({ name, port: number, targetPort: name })),
    )
    assert.deepEqual(
      specOf('ServiceMonitor').endpoints.map(({ port }: { port: string }) => port),
      ports.map(({ name }) => name),
    )
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
