/** A reply of the service as the result of a tool call. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { Failure, type FailureCode } from '../../base/failure.ts'
import { MCP_RESULT_CHARACTERS } from '../../base/limits/callers.ts'
import type { Body } from '../../compute/result.ts'
import type { Reply } from '../../protocol/reply.ts'
import { summary } from './summary.ts'

/** @param uri names a large result, which is attached in full after its summary */
export function resultOf(reply: Reply, uri: string): CallToolResult {
  const { outcome, requestId } = reply
  const _meta = { 'quantd/standing': standingOf(reply) }
  if (outcome instanceof Failure) return { ...failure(outcome, requestId), _meta }
  const data = textOf(outcome.body)
  const value = JSON.parse(data) as Record<string, unknown>
  if (data.length <= MCP_RESULT_CHARACTERS) return { ...success(value, data), _meta }
  const short = { ...(summary(value) as Record<string, unknown>), note: NOTE }
  const { content, structuredContent } = success(short, JSON.stringify(short))
  return { content: [...content, attached(uri, data)], structuredContent, _meta } as CallToolResult
}

export const textOf = (body: Body): string =>
  typeof body === 'string' ? body : Buffer.concat([body].flat()).toString()

const NOTE = 'Long lists are summarised here; the complete result is attached as a resource for the user.'

export const success = (value: Record<string, unknown>, text = JSON.stringify(value)) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: value,
})

/** Clients that respect `audience` keep the resource out of the model's context. */
const attached = (uri: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'application/json', text },
  annotations: { audience: ['user' as const] },
})

function failure({ code, details, message, numbers }: Failure, requestId: string): CallToolResult {
  const faults = details.map(({ message, path }) => `- ${path || 'request'}: ${message}`)
  const advice = ADVICE[code]
  const text = [message, ...faults, ...(advice === undefined ? [] : [advice])].join('\n')
  const facts = { message, code, request_id: requestId, ...(details.length > 0 && { details }), ...numbers }
  return { isError: true, content: [{ type: 'text', text }], structuredContent: facts }
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

/** Credits and windows as the results of tools report them. */
export const standingOf = ({ charge, standing }: Reply) => ({
  credits: standing?.credits ?? null,
  charged: charge?.charged ?? 0,
  replayed: charge?.replayed ?? false,
  windows: (standing?.windows ?? []).map(({ limit, name, remaining, resetAt }) => ({
    window: name,
    limit,
    remaining,
    ends_in_seconds: Math.ceil((resetAt - standing!.now) / 1_000),
  })),
})
