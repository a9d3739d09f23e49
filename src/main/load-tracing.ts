/** Loads tracing only if it is configured: its packages are optional, and take memory and time to load. */
import { type Config, ConfigError } from '../config.ts'
import type { Tracing } from './tracing.ts'

/** Throws ConfigError if it is configured but not installed. */
export async function loadTracing({ tracing }: Config, version: string): Promise<Tracing | null> {
  if (tracing === null) return null
  const { openTracing } = await import('./tracing.ts').catch((error) => {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError(
      'Tracing is configured by OTEL_… settings, but its package is not installed: npm install @opentelemetry/sdk-node, or set OTEL_SDK_DISABLED=true.',
    )
  })
  return openTracing(version, tracing.serviceName)
}
