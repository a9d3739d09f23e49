/**
 * For operators: their listener, which has none of the public routes, and the service's own watch for the causes of alerts, which
 * sends mail also while the database cannot be reached.
 */
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { MailText } from '../../accounts/mail/messages.ts'
import { smtpTransport } from '../../accounts/mail/transport.ts'
import { openProvider } from '../../accounts/sign-on/provider.ts'
import { failures } from '../../base/failure.ts'
import { uuidv7 } from '../../base/ids.ts'
import { ACCOUNT_BODY_BYTES } from '../../base/limits/callers.ts'
import { version } from '../../base/version.ts'
import { receiver } from '../../compute/body/receive.ts'
import { operations } from '../../compute/catalogue/index.ts'
import { operatorOpenapi } from '../../derive/operator-openapi.ts'
import { openActivity } from '../../operators/activity.ts'
import type { Sample } from '../../operators/alerts/readings.ts'
import { startWatch } from '../../operators/alerts/watch.ts'
import type { NodeState } from '../../operators/http/endpoint.ts'
import { operatorEndpoints } from '../../operators/http/endpoints.ts'
import { type OperatorSignOn, operatorSignOn, sessionRoutes } from '../../operators/http/page-session.ts'
import { type OperatorPipeline, operatorServer } from '../../operators/http/serve.ts'
import { keyHashes } from '../../secrets/keys.ts'
import { createPasswords } from '../../secrets/passwords.ts'
import { unbilled } from '../../serve/http/printed-reply.ts'
import { readiness } from '../../serve/http/readiness.ts'
import { browserRoute, pageRoute } from '../../serve/http/routes.ts'
import { createServer, type Observer, type Route } from '../../serve/http/server.ts'
import { operatorAssets } from '../../web/assets.ts'
import type { Config } from '../config/read-config.ts'
import type { Foundation } from './foundation.ts'
import { listenForOperators } from './listeners.ts'

/** Starts the listener; null: it is switched off. */
export async function startOperators(
  foundation: Foundation,
  observer: Observer,
  faults: NodeState['faults'],
) {
  const { config, log } = foundation
  if (config.operatorPort === null) return null
  const pipeline = pipelineOf(foundation, faults)
  const signOn = signOnOf(foundation)
  const server = createServer({
    routes: [...operatorRoutes(pipeline, signOn), documentRoute(), ...pageRoutes(signOn)],
    trustedProxies: config.trustedProxies,
    corsOrigins: [],
    hostNames: config.operatorOrigins.map((origin) => new URL(origin).hostname),
    limits: { perAddress: config.connectionsPerAddress, discardBytes: ACCOUNT_BODY_BYTES },
    onInternalError: pipeline.onInternalError,
    observer,
    notFoundPage: null,
  })
  const port = await listenForOperators(server, config)
  log.info({ host: config.operatorHost, port }, 'listening for operators')
  return server
}

function pipelineOf(
  { config, hashTeamKey, history, log, masterKeys, plan, store, vault }: Foundation,
  faults: NodeState['faults'],
): OperatorPipeline {
  const passwords = createPasswords()
  return {
    store,
    reads: store.reads,
    vault,
    auditRetentionDays: config.auditRetentionDays,
    plan: plan.current,
    readPlan: () => plan.read(store),
    settings: config.plan,
    operationPaths: operations.map(({ path }) => path),
    hashToken: hashTeamKey,
    twoPersons: config.twoPersons,
    endpointAt: (path) => operatorEndpoints.find((endpoint) => endpoint.path === path),
    alerts: config.alerts,
    webhookPrivate: config.webhookPrivate,
    history,
    isReady: readiness(() => store.ping()),
    activity: openActivity(store.reads),
    node: {
      version,
      startedAt: Date.now(),
      faults,
      database: config.databaseUrl === null ? 'sqlite' : 'postgres',
    },
    hashesOfKey: keyHashes(vault, hashTeamKey),
    masterKeyIds: () => masterKeys.list().map(({ id }) => id),
    isMasterKeySettled: masterKeys.isSettled,
    hashPassword: (password) => passwords.hash(password),
    receiver: receiver(ACCOUNT_BODY_BYTES),
    onInternalError: (error, requestId) => log.error({ err: error, requestId }, 'internal error'),
  }
}

/** The provider for operators; null: they log in with tokens only. */
function signOnOf({ config: { signOn }, log }: Foundation): OperatorSignOn | null {
  if (signOn === null || signOn.roles === null) return null
  const { roles } = signOn
  return { roles, log, provider: openProvider(signOn, roles.claim) }
}

const operatorRoutes = (pipeline: OperatorPipeline, signOn: OperatorSignOn | null): Route[] => [
  ...operatorEndpoints.map((endpoint) => ({
    method: endpoint.method,
    path: endpoint.path,
    answer: operatorServer(pipeline, endpoint),
  })),
  ...(signOn === null ? [] : operatorSignOn(pipeline, signOn).map(browserRoute)),
  ...sessionRoutes(pipeline, signOn),
]

const pageRoutes = (signOn: OperatorSignOn | null): Route[] =>
  [...operatorAssets(operatorEndpoints, signOn?.provider.name ?? null)].map(([path, asset]) =>
    pageRoute(path, () => asset),
  )

/** The route of the OpenAPI document, which holds no secret and needs no token. */
function documentRoute(): Route {
  const body = JSON.stringify(operatorOpenapi(operatorEndpoints, failures, version))
  return {
    method: 'GET',
    path: '/operator/v1/openapi.json',
    answer: ({ requestId }) => ({
      status: 200,
      headers: ['content-type', 'application/json; charset=utf-8', 'x-request-id', requestId],
      body,
      ...unbilled(requestId),
    }),
  }
}

/** Starts the watch; returns the function that ends it. Null: QUANTD_ALERTS is not set. */
export function startAlerts(
  { config, log, store, vault }: Foundation,
  samples: () => Promise<readonly Sample[]>,
  everyMs?: number,
): (() => Promise<void>) | null {
  const { alerts: targets } = config
  if (targets === null) return null
  const sendDirectly = (to: string, text: MailText) => mailDirectly(config, to, text)
  const parts = { store, vault, targets, node: nodeName(config), samples, sendDirectly, now: Date.now, log }
  return startWatch(parts, everyMs)
}

/** The name of this node. Nodes on one port differ in their data folders. */
function nodeName({ dataDir, port }: Config): string {
  const folder = basename(dataDir)
  return `${hostname()}:${port}${/^node-\d+$/.test(folder) ? `/${folder}` : ''}`
}

/** Sends a mail without the outbox, which is in the database. Without an SMTP server, an alert is a line of the log only. */
async function mailDirectly({ mailFrom: from, smtpUrl: url }: Config, to: string, text: MailText) {
  if (url === null) return
  const transport = smtpTransport({ url, from })
  try {
    await transport.send({ id: uuidv7(), to, ...text })
  } finally {
    transport.close()
  }
}
