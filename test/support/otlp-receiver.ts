/** A receiver of traces by OTLP over HTTP, in its JSON form, on a loopback port. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
  readonly status?: { readonly code?: number }
}

export interface OtlpReceiver {
  /** The settings by which a service sends its traces here. */
  readonly settings: Readonly<Record<string, string>>
  readonly spans: readonly Span[]
  /** The resource of each group of spans, as JSON. */
  readonly resources: readonly string[]
  /** The path of each request. */
  readonly paths: readonly string[]
  close(): void
}

export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: Span[] = []
  const resources: string[] = []
  const paths: string[] = []
  const server = createServer(async (incoming, response) => {
    paths.push(incoming.url!)
    // biome-ignore lint/suspicious/noExplicitAny: the JSON form of OTLP
    const { resourceSpans } = (await json(incoming)) as any
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(JSON.stringify(resource))
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    spans,
    resources,
    paths,
    close: () => server.close(),
  }
}
