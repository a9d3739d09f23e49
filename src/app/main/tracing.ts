/** Traces by OpenTelemetry: a span for each request, with spans of its entries in the ledger and of its heavy work. */
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { startNodeSdk } from '@opentelemetry/sdk-node'
import type { Pool } from '../../compute/threads/pool.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import type { Incoming } from '../../protocol/incoming.ts'
import { type PrintedReply, printed } from '../../serve/http/printed-reply.ts'
import type { Route } from '../../serve/http/server.ts'

/** Adds spans to the parts of the service. */
export interface Tracing {
  route(route: Route): Route
  meter(meter: Meter): Meter
  pool(pool: Pool): Pool
  /** Sends the spans that are waiting. */
  close(): Promise<void>
}

/** The time limit of the last export: a collector that does not answer must not delay the end of the process. */
const CLOSE_MS = 3_000

/**
 * Starts the SDK, which reads its standard environment variables: exporter, sampler, propagators, resource.
 * @param serviceName the name to use; null: the environment has one
 */
export function openTracing(version: string, serviceName: string | null): Tracing {
  const sdk = startNodeSdk({
    metricReaders: [],
    logRecordProcessors: [],
    resourceAttributes: {
      'service.version': version,
      ...(serviceName !== null && { 'service.name': serviceName }),
    },
  })
  const tracer = trace.getTracer('quantd', version)
  return {
    route: (route) => ({ ...route, answer: (incoming) => serve(tracer, route, incoming) }),
    meter: ({ enter }) => ({ enter: (entry) => within(tracer, `ledger ${entry.step}`, () => enter(entry)) }),
    pool: (pool) => ({
      ...pool,
      run: (task) => within(tracer, 'compute', () => pool.run(task)),
      runOnceAdmitted: (task, admit) => within(tracer, 'compute', () => pool.runOnceAdmitted(task, admit)),
    }),
    async close() {
      const timeout = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([sdk.shutdown(), timeout]).catch(() => undefined)
    },
  }
}

async function within<Result>(tracer: Tracer, name: string, work: () => Promise<Result>): Promise<Result> {
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL })
  try {
    return await context.with(trace.setSpan(context.active(), span), work)
  } catch (error) {
    span.setAttribute('error.type', (error as { code?: string }).code ?? 'internal')
    throw error
  } finally {
    span.end()
  }
}

async function serve(
  tracer: Tracer,
  { answer, method, path }: Route,
  incoming: Incoming,
): Promise<PrintedReply> {
  const parent: Context = propagation.extract(ROOT_CONTEXT, incoming.headers)
  // The Host without its port; an IPv6 address contains colons itself.
  const server = incoming.headers.host?.replace(/:\d+$/, '')
  const span = tracer.startSpan(
    `${method} ${path}`,
    {
      kind: SpanKind.SERVER,
      startTime: performance.timeOrigin + incoming.startedAt,
      attributes: {
        'http.request.method': method,
        'http.route': path,
        'url.path': incoming.path,
        'url.scheme': incoming.scheme,
        ...(server !== undefined && { 'server.address': server }),
        'quantd.request_id': incoming.requestId,
      },
    },
    parent,
  )
  try {
    const replied = await context.with(trace.setSpan(parent, span), async () => await answer(incoming))
    const reply = printed(replied)
    const { charged, code, status } = reply
    span.setAttributes({
      'http.response.status_code': status,
      'quantd.credits': charged,
      ...(code !== null && { 'error.type': code }),
    })
    // By the semantic conventions, a 4xx is not an error of the server.
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    return reply
  } catch (error) {
    span.setAttribute('error.type', (error as { code?: string }).code ?? 'internal')
    throw error
  } finally {
    span.end()
  }
}
