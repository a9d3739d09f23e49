/**
 * A node: one process with all parts of the service, and the pipeline behind its listener. `supervisor.ts` starts several nodes.
 */
import type { AccountContext } from '../../accounts/account-endpoint.ts'
import { openPasswordQueue } from '../../accounts/attempts.ts'
import { accountHandlers } from '../../accounts/endpoints.ts'
import { programKeys } from '../../accounts/programs.ts'
import { openProvider, type Provider } from '../../accounts/sign-on/provider.ts'
import { runsInTurn } from '../../base/coalesce.ts'
import { guestsClosed, registrationClosed } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { EVENT_LOOP_SHARE_MS } from '../../base/limits/callers.ts'
import { DRAIN_MS } from '../../base/limits/operation.ts'
import { receiver } from '../../compute/body/receive.ts'
import { operations } from '../../compute/catalogue/index.ts'
import { compileComputations } from '../../compute/computations.ts'
import { eventLoopShares } from '../../compute/threads/event-loop-shares.ts'
import { openPool, type PoolOptions } from '../../compute/threads/pool.ts'
import { sources as declared } from '../../derive/sources.ts'
import { type MeterWatch, openMeter } from '../../ledger/metering/meter.ts'
import { receiptFinder } from '../../ledger/receipts/receipt.ts'
import { publishedKeys } from '../../ledger/receipts/signing-keys.ts'
import type { Store } from '../../ledger/store/store.ts'
import { monitoredState } from '../../operators/watched-state.ts'
import { apiKeyKind, keyHashes } from '../../secrets/keys.ts'
import { createPasswords, type PasswordCost } from '../../secrets/passwords.ts'
import { type AccountSignOn, accountSignOn } from '../../serve/http/account-sign-on.ts'
import { drain, type ServerLimits } from '../../serve/http/guarded-server.ts'
import { metadataRoutes, type ProtectedResource } from '../../serve/http/protected-resource.ts'
import { type RouteParts, routes } from '../../serve/http/routes.ts'
import { createServer, type Route } from '../../serve/http/server.ts'
import { authenticator } from '../../serve/pipeline/authenticate.ts'
import { consoleAssets } from '../../web/assets.ts'
import { notFoundPage } from '../../web/documents.ts'
import { type Config, ConfigError } from '../config/read-config.ts'
import { type Logger, openRequestLog } from '../log.ts'
import { openMetrics } from '../metrics/open-metrics.ts'
import { type Background, openBackground } from './background.ts'
import { type Foundation, type FoundationOptions, openFoundation } from './foundation.ts'
import { listenForCalls, listenForMetrics } from './listeners.ts'
import { observerOf } from './observer.ts'
import { startAlerts, startOperators } from './operators.ts'
import { ofPlan } from './plan-in-force.ts'
import { shrinkHeap } from './supervisor.ts'
import type { Tracing } from './tracing.ts'
import { openUnpaidGuard } from './unpaid-guard.ts'

export interface Service {
  readonly url: string
  readonly store: Store
  /** Finishes the requests in progress, then releases everything that was opened. */
  close(drainMs?: number): Promise<void>
}

export interface ServiceOptions extends FoundationOptions, ServingOptions {}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const foundation = await openFoundation(config, options)
  const background = openBackground(foundation)
  const server = await startServing(foundation, background, options).catch(async (error) => {
    await background.close()
    await foundation.close()
    throw error
  })
  background.start()
  return {
    url: server.url,
    store: foundation.store,
    async close(drainMs) {
      await server.close(drainMs)
      await background.close()
      await foundation.close()
    },
  }
}

export interface ServingOptions {
  /** Limits on connections and replies; only tests lower them. */
  readonly limits?: Partial<ServerLimits>
  /** Whether other nodes of this machine listen on the same port. */
  readonly sharesPort?: boolean
  /** The interval at which the causes of alerts are evaluated; set by tests only. */
  readonly alertsEveryMs?: number
  /** The interval at which the room for requests without a key is read; set by tests only. */
  readonly unpaidEveryMs?: number
  /** The cost of the hashes of passwords; only tests lower it. */
  readonly passwordCost?: PasswordCost | undefined
  /** Limits of the threads; tests raise them, because a busy machine runs threads of low priority slowly. */
  readonly threadLimits?: Pick<PoolOptions, 'timeLimitMs' | 'waitLimitMs'>
}

/** Answers requests until it is closed. */
export async function startServing(
  foundation: Foundation,
  background: Background,
  {
    alertsEveryMs,
    limits = {},
    passwordCost,
    sharesPort = false,
    threadLimits,
    unpaidEveryMs,
  }: ServingOptions,
): Promise<{ url: string; close(drainMs?: number): Promise<void> }> {
  const { config, log, store } = foundation
  refuseUnknownCosts(config)
  const metrics = openMetrics(declared.version)
  metrics.database(() => store.reads.run(monitoredState))
  const tracing = await loadTracing(config, declared.version)
  const onStart = metrics.pool(() => pool.load())
  const pool = openPool({
    threads: config.computeThreads,
    onStart,
    ...threadLimits,
  })
  const meter = openMeter(store, background.refundJournal, watchOf(metrics.ledger(), log))
  const unpaid = await openUnpaidGuard(foundation, unpaidEveryMs)
  metrics.room(unpaid.room)
  let stopping = false
  const running = { meter, pool, isStopping: () => stopping, refuseUnpaid: unpaid.refusal }
  const parts = routeParts(foundation, background, running, passwordCost)
  const { faults, observer } = observerOf(metrics, openRequestLog(log, config.logRequests))
  const server = createServer({
    routes: traced(tracing, parts),
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    protectedResource: protectedResource(config.signOn),
    limits: {
      perAddress: config.connectionsPerAddress,
      discardBytes: config.bodyLimitBytes,
      ...limits,
    },
    onInternalError: parts.onInternalError,
    notFoundPage: notFoundPage(parts.sources),
    observer,
  })
  shrinkHeap()
  const operators = await startOperators(foundation, observer, faults)
  const metricsServer = await listenForMetrics(config, runsInTurn(metrics.text), log)
  const port = await listenForCalls(server, config, { sharesPort })
  const stopAlerts = startAlerts(foundation, metrics.samples, alertsEveryMs)
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    async close(drainMs = DRAIN_MS) {
      stopping = true
      const listening = operators === null ? [server] : [server, operators]
      await Promise.all(listening.map((each) => drain(each, config.stopDelayMs, drainMs)))
      metricsServer?.close()
      await stopAlerts?.()
      await unpaid.stop()
      await pool.close()
      await tracing?.close()
    },
  }
}

/** Counts broken assertions, and logs them with the ids of what is concerned. */
const watchOf = (counted: MeterWatch, log: Logger): MeterWatch => ({
  group: counted.group,
  broken(err) {
    counted.broken(err)
    log.error({ err, assertion: err.assertion, ids: err.ids }, 'broken assertion: a group was not written')
  },
})

function routeParts(
  { config, hashTeamKey, history, log, plan, store, vault }: Foundation,
  { checkpoints, wakeSender }: Background,
  running: Pick<RouteParts, 'isStopping' | 'meter' | 'pool' | 'refuseUnpaid'>,
  passwordCost?: PasswordCost,
): RouteParts {
  const priced = compileComputations()
  const makeAssets = consoleAssets()
  const accounts: AccountContext = {
    store,
    history,
    vault,
    hashTeamKey,
    paths: new Set(operations.map(({ path }) => path)),
    passwords: createPasswords(undefined, passwordCost),
    passwordQueue: openPasswordQueue(),
    wakeSender,
    receiptOf: receiptFinder(store, checkpoints),
    log,
    issuer: 'quantd',
    initialCredits: () => plan.current().initialCredits,
    limits: () => plan.current(),
  }
  const bodies = receiver(config.bodyLimitBytes)
  const provider = config.signOn?.accounts ? openProvider(config.signOn, null) : null
  const programs = config.signOn?.programs ?? null
  const onInternalError: RouteParts['onInternalError'] = (error, requestId) =>
    log.error({ err: error, requestId }, 'internal error')
  return {
    ...running,
    authenticate: authenticator(
      store,
      running.meter,
      { kind: apiKeyKind, hashes: keyHashes(vault, hashTeamKey) },
      provider === null || programs === null ? null : programKeys(accounts, provider, programs),
    ),
    receiver: bodies,
    eventLoop: eventLoopShares(EVENT_LOOP_SHARE_MS),
    recentlyRefused: new Set(),
    onInternalError,
    store,
    computations: ofPlan(plan, ({ costs }) => priced(costs)),
    handlers: accountHandlers(accounts),
    signOn: signOnRoutes(config, { ...running, accounts, provider, receiver: bodies, onInternalError }),
    // Anybody may request the keys, so all requests together use one connection to the database.
    signingKeys: runsInTurn(() => store.run(publishedKeys)),
    assets: ofPlan(plan, (offer) => makeAssets({ ...declared, offer }, { ...config, ...offer })),
    ipLimits: config.ipLimits,
    sources: declared,
    corsOrigins: config.corsOrigins,
    closed: closedEndpoints(config),
  }
}

/** The routes of sign-on, and those by which programs find the provider; empty: owners of accounts do not sign on. */
function signOnRoutes(
  { ipLimits, registration, signOn }: Config,
  parts: Pick<AccountSignOn, 'accounts' | 'onInternalError' | 'receiver' | 'refuseUnpaid'> & {
    provider: Provider | null
  },
): Route[] {
  const { provider } = parts
  if (signOn === null || provider === null) return []
  const { trustEmail } = signOn
  const resource = protectedResource(signOn)
  return [
    ...accountSignOn({ ...parts, provider, ipLimits, registration, trustEmail }),
    ...(resource === null ? [] : metadataRoutes(resource)),
  ]
}

/** Null: access tokens are not taken. */
const protectedResource = (signOn: Config['signOn']): ProtectedResource | null =>
  signOn === null || signOn.programs === null ? null : { issuer: signOn.issuer, scope: signOn.programs.scope }

const closedEndpoints = ({ guests, registration }: Config): ReadonlyMap<string, () => Failure> =>
  new Map([
    ...(registration ? [] : [['/user/register', registrationClosed] as const]),
    ...(guests ? [] : [['/guest/create', guestsClosed] as const]),
  ])

/**
 * Loads tracing if it is configured, because its packages are optional, and take memory and time to load. Throws ConfigError if
 * they are not installed.
 */
async function loadTracing({ tracing }: Config, version: string): Promise<Tracing | null> {
  if (tracing === null) return null
  const { openTracing } = await import('./tracing.ts').catch((error) => {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError(
      'Tracing is configured by OTEL_… settings, but its package is not installed: npm install @opentelemetry/sdk-node, or set OTEL_SDK_DISABLED=true.',
    )
  })
  return openTracing(version, tracing.serviceName)
}

/** The routes, with spans where the service is traced. */
function traced(tracing: Tracing | null, parts: RouteParts): Route[] {
  if (tracing === null) return routes(parts)
  const { meter, pool } = parts
  return routes({ ...parts, meter: tracing.meter(meter), pool: tracing.pool(pool) }).map(tracing.route)
}

/** Refuses a cost for a path that is no computation: it would never be charged, and nobody would notice. */
function refuseUnknownCosts({ plan }: Config): void {
  const unknown = Object.keys(plan.costs).find(
    (path) => !operations.some((operation) => operation.path === path),
  )
  if (unknown !== undefined)
    throw new ConfigError(
      `QUANTD_COSTS names ${unknown}, which is not a computation; the reference (/docs) lists them.`,
    )
}
