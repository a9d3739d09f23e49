/** Whether requests are traced. */
import type { Environment } from './values.ts'

/** OpenTelemetry's own variables: an endpoint or an exporter switches tracing on. */
export function tracing(environment: Environment): { readonly serviceName: string | null } | null {
  const exporter = environment.OTEL_TRACES_EXPORTER
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT
  if (
    environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    exporter === 'none' ||
    !(exporter || endpoint)
  )
    return null
  const isNamed =
    environment.OTEL_SERVICE_NAME || /\bservice\.name=/.test(environment.OTEL_RESOURCE_ATTRIBUTES ?? '')
  return { serviceName: isNamed ? null : 'quantd' }
}
