/** A receiver of traces by OTLP over HTTP, in its JSON form, on a loopback port. */
import { httpPeer } from './http-peer.ts'

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
  const { close, url } = await httpPeer((response, { body, url }) => {
    paths.push(url)
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      resources.push(JSON.stringify(resource))
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    spans,
    resources,
    paths,
    close,
  }
}
