/** Reads a message: parses it, checks a tool call, and keeps its arguments as bytes; makes the errors of JSON-RPC. */
import { ExpectedError, Failure, type FailureCode } from '../../base/failure.ts'
import { MCP_ENVELOPE_BYTES } from '../../base/limits/callers.ts'
import { isObject, parse } from '../../compute/body/parse.ts'
import { fieldBytes } from '../../wire/json-bytes.ts'

export interface Message {
  /** The message without the arguments of a tool call, so that the protocol's work does not grow with them. */
  readonly value: unknown
  /** null: the message has no id, or an invalid one. */
  readonly id: RpcId
  /** null: it calls no tool. */
  readonly call: ToolCall | null
}

export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** JSON. */
  readonly argumentBytes: Buffer
  readonly idempotencyKey: string | undefined
}

/** `_meta` of a tool call may carry its idempotency key, since MCP clients set headers for all calls alike. */
export const IDEMPOTENCY_META = 'quantd/idempotencyKey'

const NO_ARGUMENTS = Buffer.from('{}')

/** Throws ProtocolRefusal. */
export function readMessage(bytes: Buffer): Message {
  const value = parsed(bytes)
  if (Array.isArray(value)) throw new ProtocolRefusal(INVALID_REQUEST, ONE_MESSAGE, { status: 400 })
  const id = idOf(value)
  const method = isObject(value) && id !== null ? value.method : null
  // The SDK would report a subscription beyond its limit as an internal error.
  if (method === 'subscriptions/listen') throw new ProtocolRefusal(METHOD_NOT_FOUND, NO_SUBSCRIPTIONS, { id })
  const call = isObject(value) && method === 'tools/call' ? callOf(value, id, bytes) : null
  if (bytes.length - (call?.argumentBytes.length ?? 0) > MCP_ENVELOPE_BYTES)
    throw new ProtocolRefusal(INVALID_REQUEST, TOO_LONG, { id, status: 400 })
  return { value, id, call }
}

const ONE_MESSAGE =
  'Batches of JSON-RPC messages are not accepted; send each message in a request of its own.'
const NO_SUBSCRIPTIONS = 'There is nothing to subscribe to: the tools change with the version only.'
const TOO_LONG = `A message has at most ${MCP_ENVELOPE_BYTES} bytes besides the arguments of a tool call.`

function parsed(bytes: Buffer): unknown {
  try {
    return parse(bytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const code = error.code === 'invalid_json' ? PARSE_ERROR : INVALID_REQUEST
    throw new ProtocolRefusal(code, error.message, { status: 400 })
  }
}

function idOf(value: unknown): RpcId {
  const id = isObject(value) ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Takes the arguments out of the message. */
function callOf(value: Record<string, unknown>, id: RpcId, bytes: Buffer): ToolCall {
  const refuse = (problem: string): never => {
    throw new ProtocolRefusal(INVALID_PARAMS, problem, { id })
  }
  const { params } = value
  if (!isObject(params)) return refuse('params must be an object.')
  const { _meta, name } = params
  const toolArguments = params.arguments ?? {}
  if (typeof name !== 'string') return refuse('params.name must be a string.')
  if (!isObject(toolArguments)) return refuse('params.arguments must be an object.')
  if (_meta !== undefined && !isObject(_meta)) return refuse('params._meta must be an object.')
  const idempotencyKey = _meta?.[IDEMPOTENCY_META]
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    return refuse(`params._meta["${IDEMPOTENCY_META}"] must be a string.`)
  const isGiven = params.arguments !== undefined && params.arguments !== null
  const argumentBytes = isGiven ? fieldBytes(fieldBytes(bytes, 'params')!, 'arguments')! : NO_ARGUMENTS
  if (params.arguments !== undefined) params.arguments = {}
  return { name, arguments: toolArguments, argumentBytes, idempotencyKey }
}

/** The id of a message; null: it has none, or an invalid one. */
export type RpcId = string | number | null

// JSON-RPC 2.0, section 5.1
const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
/** One of the codes that JSON-RPC leaves to servers. */
export const SERVER_ERROR = -32_000

interface Where {
  readonly id?: RpcId
  /** The HTTP status; 200 if the message itself was well-formed. */
  readonly status?: number
  /** The code by which the reply is counted. */
  readonly failureCode?: FailureCode
}

export class ProtocolRefusal extends ExpectedError {
  override readonly name = 'ProtocolRefusal'
  readonly code: number
  readonly id: RpcId
  readonly status: number
  readonly failureCode: FailureCode

  constructor(
    code: number,
    message: string,
    { failureCode = 'invalid_json', id = null, status = 200 }: Where = {},
  ) {
    super(message)
    this.failureCode = failureCode
    this.code = code
    this.id = id
    this.status = status
  }
}

/** @param data further fields of the error */
export const errorReply = (id: RpcId, code: number, message: string, data?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
