/** A reply of the service as the result of a tool call, shortened for a model if it is large. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { Failure, type FailureCode } from '../../base/failure.ts'
import { MCP_RESULT_CHARACTERS } from '../../base/limits/callers.ts'
import type { Body } from '../../compute/result.ts'
import type { Reply } from '../../protocol/reply.ts'

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

/** Lists up to this length are kept. */
const SHORT = 20
const FIRST = 5
/** Longer texts, such as a fitted model, are shortened. */
const LONG_TEXT = 1_000
const FIRST_CHARACTERS = 40
const MAX_INDICES = 50
const LARGEST = 10
/** A list of so few different values is counted by value. */
const FEW_VALUES = 5

/** A long text becomes its first characters, and each long list its length, its first values and its statistics. */
export function summary(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > SHORT ? listSummary(value) : value.map(summary)
  if (typeof value === 'string' && value.length > LONG_TEXT)
    return `${value.slice(0, FIRST_CHARACTERS)}… (${value.length} characters)`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, summary(field)]))
}

function listSummary(list: readonly unknown[]): object {
  const facts = { length: list.length, first: list.slice(0, FIRST).map(summary) }
  if (list.every(isPlain)) {
    const values = new Set(list)
    if (values.size <= FEW_VALUES) return { ...facts, ...counted(list, values) }
    return list.every((item) => typeof item === 'number') ? { ...facts, ...statistics(list) } : facts
  }
  return list.every(isCallResult) ? { ...facts, ...failures(list) } : facts
}

/** The frequency of each value, and the places of the rarest one: the anomalies among predictions, for example. */
function counted(list: readonly unknown[], values: ReadonlySet<unknown>): object {
  const counts = [...values].map((value) => ({ value, count: list.filter((item) => item === value).length }))
  const rarest = counts.reduce((a, b) => (b.count < a.count ? b : a))
  return counts.length < 2 ? { counts } : { counts, rarest: { ...rarest, at: indicesOf(list, rarest.value) } }
}

function indicesOf(list: readonly unknown[], value: unknown): number[] {
  const found: number[] = []
  for (let index = 0; index < list.length && found.length < MAX_INDICES; index++)
    if (list[index] === value) found.push(index)
  return found
}

function statistics(list: readonly number[]): object {
  const order = Uint32Array.from(list.keys()).sort((a, b) => list[b] - list[a])
  const at = (position: number) => list[order[position]]
  const middle = order.length >> 1
  return {
    min: at(order.length - 1),
    median: order.length % 2 === 1 ? at(middle) : at(middle - 1) / 2 + at(middle) / 2,
    max: at(0),
    mean: list.reduce((sum, value) => sum + value / list.length, 0),
    largest_at: [...order.subarray(0, LARGEST)],
  }
}

interface CallResult {
  readonly success: boolean
}

function failures(list: readonly CallResult[]): object {
  const failed = [...list.entries()].filter(([, { success }]) => !success)
  return {
    succeeded: list.length - failed.length,
    failed: failed.slice(0, LARGEST).map(([index, result]) => ({ index, ...result })),
  }
}

const isPlain = (item: unknown): boolean => typeof item !== 'object' || item === null

const isCallResult = (item: unknown): item is CallResult =>
  typeof item === 'object' && item !== null && 'success' in item
