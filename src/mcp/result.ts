/** A reply of the service as the result of a tool call. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Detail, FailureCode } from '../errors.ts'
import type { Reply } from '../pipeline/reply.ts'
import { summary } from './summary.ts'

/** Up to here a model gets a result as it is. */
const SHORT_CHARACTERS = 4 * 1024
const SUCCESS = '{"success":true,"data":'

/** @param uri names a large result, which is attached in full behind its summary */
export function resultOf(reply: Reply, uri: string): CallToolResult {
  const text = typeof reply.body === 'string' ? reply.body : Buffer.concat([reply.body].flat()).toString()
  const _meta = { 'quantd/standing': standingOf(reply) }
  if (reply.status !== 200) return { ...failure(JSON.parse(text)), _meta }
  const data = text.slice(SUCCESS.length, -1)
  const value = JSON.parse(data) as Record<string, unknown>
  if (data.length <= SHORT_CHARACTERS) return { ...success(value, data), _meta }
  const short = { ...(summary(value) as Record<string, unknown>), note: NOTE }
  const { content, structuredContent } = success(short, JSON.stringify(short))
  return { content: [...content, attached(uri, data)], structuredContent, _meta } as CallToolResult
}

const NOTE = 'Long lists are summarised here; the complete result is attached as a resource for the user.'

export const success = (value: Record<string, unknown>, text = JSON.stringify(value)) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: value,
})

/** Clients that heed the audience keep it out of the model's context. */
const attached = (uri: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'application/json', text },
  annotations: { audience: ['user' as const] },
})

/** The facts of a failure reply. */
interface FailureBody {
  readonly message: string
  readonly error: {
    readonly code: FailureCode
    readonly request_id: string
    readonly details?: readonly Detail[]
  }
}

function failure({ error, message }: FailureBody): CallToolResult {
  const faults = (error.details ?? []).map(({ message, path }) => `- ${path || 'request'}: ${message}`)
  const advice = ADVICE[error.code]
  const text = [message, ...faults, ...(advice === undefined ? [] : [advice])].join('\n')
  return { isError: true, content: [{ type: 'text', text }], structuredContent: { message, ...error } }
}

/** The next step for a model; the messages were written for people who read the reference. */
const ADVICE: Partial<Record<FailureCode, string>> = {
  invalid_input: 'Nothing was charged. Correct these arguments and call the tool again.',
  credits_exhausted: 'Nothing was charged. Do not repeat the call: tell the user that credits are needed.',
  rate_limited:
    'Nothing was charged. Put further computations into one call of the tool "batch": it counts as one request.',
  idempotency_conflict: 'Nothing was charged. These arguments need an idempotency key of their own.',
  overloaded: 'Nothing was charged. Call the tool again with the same arguments.',
  unavailable: 'Call the tool again with the same arguments and the same idempotency key.',
  guest_key_expired: 'Tell the user that a new key is needed.',
}

/** Credits and windows from the headers of a reply. */
export function standingOf({ headers }: Reply) {
  const header = (name: string): string | undefined => headers[headers.indexOf(name) + 1 || headers.length]
  const number = (name: string): number | null => (header(name) === undefined ? null : Number(header(name)))
  const limits = new Map(
    [...(header('ratelimit-policy') ?? '').matchAll(/"([^"]+)";q=(\d+)/g)].map(([, name, q]) => [name, q]),
  )
  return {
    credits: number('x-credits-remaining'),
    charged: number('x-credits-cost') ?? 0,
    replayed: header('idempotent-replayed') === 'true',
    windows: [...(header('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)].map(
      ([, name, remaining, seconds]) => ({
        window: name!,
        limit: Number(limits.get(name)),
        remaining: Number(remaining),
        ends_in_seconds: Number(seconds),
      }),
    ),
  }
}
