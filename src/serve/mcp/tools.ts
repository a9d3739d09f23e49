/** Runs tool calls: computations, `quote` and `account`. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { keyForbidden } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import { MCP_QUOTE_BYTES } from '../../base/limits/callers.ts'
import { isObject } from '../../compute/body/parse.ts'
import { nearest } from '../../compute/body/suggestions.ts'
import type { JsonSchema } from '../../compute/catalogue/schema.ts'
import type { Computation } from '../../compute/computation.ts'
import { JSON_WIRE } from '../../compute/result.ts'
import type { Sources } from '../../derive/documented-endpoints.ts'
import {
  ACCOUNT,
  COLUMNS,
  COLUMNS_PATH,
  computationTools,
  QUOTE,
  type Tool,
  toolList,
} from '../../derive/tools.ts'
import { Refused, refused } from '../../ledger/metering/refused.ts'
import type { Standing } from '../../ledger/rules/types.ts'
import type { Handler } from '../../protocol/handler.ts'
import type { Caller } from '../../protocol/incoming.ts'
import { fieldBytes } from '../../wire/json-bytes.ts'
import { callOf } from '../pipeline/receive.ts'
import { isForbidden } from '../pipeline/serve.ts'
import { type AccountPipeline, accountServer } from '../pipeline/serve-account.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolRefusal, type ToolCall } from './message.ts'
import { compute, type ReceivedMessage, request } from './received-message.ts'
import { resultOf, standingOf, success, textOf } from './result.ts'

export interface McpParts extends AccountPipeline {
  /** By path, with the costs of the plan in force. */
  readonly computations: () => ReadonlyMap<string, Computation>
  readonly handlers: readonly Handler[]
  readonly sources: Sources
  /** Origins whose pages may use the service. */
  readonly corsOrigins: readonly string[]
}

export type Tools = ReturnType<typeof tools>

/** A computation and the body of the request to it; a string says what is wrong with the arguments. */
type Target = { readonly computation: Computation; readonly body: Buffer } | string

export function tools(parts: McpParts) {
  const computations = computationTools(parts.sources)
  const paths = new Map(computations.map(({ name, path }) => [name, path]))
  const schemas = new Map<unknown, JsonSchema>(
    computations.map(({ inputSchema, name }) => [name, inputSchema]),
  )
  const computationOf = (name: unknown) => parts.computations().get(paths.get(name as string) ?? '')
  const list = toolList(parts.sources)
  const names = list.map(({ name }) => name)
  const account = accountTool(parts)
  const targetOf = (name: unknown, toolArguments: unknown, bytes: Buffer): Target | null => {
    if (name === COLUMNS) return columnsTarget(parts.computations(), paths, toolArguments, bytes)
    const computation = computationOf(name)
    return computation === undefined
      ? null
      : { computation, body: bodyOf(schemas.get(name)!, toolArguments, bytes) }
  }
  const quoted = ({ arguments: { arguments: toolArguments, tool }, argumentBytes }: ToolCall): Target =>
    targetOf(tool, toolArguments, fieldBytes(argumentBytes, 'arguments') ?? NOTHING) ??
    unknownTool(tool, [...paths.keys(), COLUMNS])
  const run = async (received: ReceivedMessage, call: ToolCall): Promise<CallToolResult> => {
    if (call.name === ACCOUNT) return await account(received)
    const isQuote = call.name === QUOTE
    const target = isQuote ? quoted(call) : targetOf(call.name, call.arguments, call.argumentBytes)
    if (target !== null && typeof target !== 'string' && !isQuote)
      return await computeTool(received, call, target)
    await received.count()
    if (target === null) throw new ProtocolRefusal(INVALID_PARAMS, noSuchTool(call.name, names))
    return typeof target === 'string' ? refusal(target) : await quoteTool(received, target)
  }
  return {
    /** The tools that the caller's key may call. */
    listFor({ team }: Caller): readonly Tool[] {
      const allowed = team?.paths ?? null
      if (allowed === null) return list
      return list.filter(({ name }) => {
        const path = computationOf(name)?.operationPath ?? null
        return path === null || allowed.has(path)
      })
    },
    /** Runs the tool that the message calls. Throws ProtocolRefusal and Refused. */
    async call(received: ReceivedMessage): Promise<CallToolResult> {
      try {
        return await run(received, received.message.call!)
      } catch (error) {
        if (error instanceof ProtocolRefusal || error instanceof Refused) throw error
        const { code, message } = received.failureOf(error)
        throw new ProtocolRefusal(INTERNAL_ERROR, message, { failureCode: code })
      }
    },
  }
}

const NOTHING = Buffer.from('{}')

/** The arguments as the body of a request: without optional ones that are null, as some clients send what they leave out. */
function bodyOf(schema: JsonSchema, toolArguments: unknown, bytes: Buffer): Buffer {
  const given = withoutNulls(schema, toolArguments)
  return given === toolArguments ? bytes : Buffer.from(JSON.stringify(given))
}

/** The value itself if it has no null in an optional field. */
function withoutNulls({ items, properties, required = [] }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value) && items?.properties !== undefined) {
    const list = value.map((item) => withoutNulls(items, item))
    return list.some((item, index) => item !== value[index]) ? list : value
  }
  if (properties === undefined || !isObject(value)) return value
  const fields = Object.entries(value)
  const kept = fields
    .filter(([name, field]) => field !== null || required.includes(name) || !Object.hasOwn(properties, name))
    .map(([name, field]) => [name, withoutNulls(properties[name] ?? {}, field)] as const)
  const isSame = kept.length === fields.length && kept.every(([, field], index) => field === fields[index][1])
  return isSame ? value : Object.fromEntries(kept)
}

function columnsTarget(
  computations: ReadonlyMap<string, Computation>,
  paths: ReadonlyMap<string, string>,
  toolArguments: unknown,
  bytes: Buffer,
): Target {
  const tool = isObject(toolArguments) ? toolArguments.tool : undefined
  const path = paths.get(tool as string)
  if (path === undefined) return unknownTool(tool, [...paths.keys()])
  const computation = computations.get(`${path}${COLUMNS_PATH}`)
  if (computation === undefined)
    return `${tool} has no columns; put several calls into one call of the tool "batch".`
  const columns = fieldBytes(bytes, 'columns')
  const body = columns === null ? NOTHING : Buffer.concat([Buffer.from('{"columns":'), columns, BRACE])
  return { computation, body }
}

const BRACE = Buffer.from('}')

function unknownTool(tool: unknown, names: readonly string[]): string {
  const close = typeof tool === 'string' ? nearest(tool, names) : null
  return `tool must be the name of a computation${close === null ? '.' : `; did you mean ${close}?`}`
}

function noSuchTool(name: string, names: readonly string[]): string {
  const close = nearest(name, names)
  const hint = close === null ? 'tools/list names them all' : `did you mean ${close}?`
  return `There is no tool ${name.slice(0, 64)}; ${hint}`
}

async function computeTool(
  received: ReceivedMessage,
  call: ToolCall,
  { body, computation }: Exclude<Target, string>,
): Promise<CallToolResult> {
  const { eventLoop } = received.pipeline
  const reply = await compute(received, call, computation, body)
  const { accountId } = received.caller
  await eventLoop.waitForShare(accountId)
  return eventLoop.run(accountId, () => resultOf(reply, `quantd://results/${received.incoming.id}`))
}

async function quoteTool(
  received: ReceivedMessage,
  { body, computation }: Exclude<Target, string>,
): Promise<CallToolResult> {
  if (body.length > MCP_QUOTE_BYTES)
    return refusal(`arguments has ${body.length} bytes; a quote takes up to ${MCP_QUOTE_BYTES}.`)
  return success(await quote(received, computation, body))
}

function accountTool(parts: McpParts): (received: ReceivedMessage) => Promise<CallToolResult> {
  const get = (path: string) => {
    const serve = accountServer(parts, parts.handlers.find(({ endpoint }) => endpoint.path === path)!)
    return (received: ReceivedMessage) => serve(request(received, 'GET', path))
  }
  const [profile, ownCredits] = [get('/user/profile'), get('/user/credits')]
  return async (received) => {
    const isTeam = received.caller.team !== null
    const reply = await (isTeam ? ownCredits : profile)(received)
    received.served = reply
    if (reply.outcome instanceof Failure) return resultOf(reply, '')
    const {
      account_type = 'team',
      cap,
      cap_left,
      cap_resets_at,
      expires_at,
    } = JSON.parse(textOf(reply.outcome.body))
    const { credits, windows } = standingOf(reply)
    // Fields that are undefined are left out.
    return success(
      JSON.parse(
        JSON.stringify({ account_type, credits, cap, cap_left, cap_resets_at, expires_at, windows }),
      ),
    )
  }
}

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** The validity, the cost and the admission of a call, without computing or counting it. Throws Failure `unavailable`. */
async function quote(received: ReceivedMessage, computation: Computation, body: Buffer) {
  const { caller, pipeline } = received
  await pipeline.eventLoop.waitForShare(caller.accountId)
  const job = pipeline.eventLoop.run(caller.accountId, () =>
    computation.read(body, JSON_WIRE, caller.team?.paths),
  )
  const cost = job instanceof Failure ? computation.leastCost : job.cost
  const call = callOf({ incoming: request(received, 'POST', computation.path), caller }, cost)
  const verdict = await pipeline.meter.enter({ step: 'peek', call })
  const failure = isForbidden(computation, caller)
    ? keyForbidden()
    : verdict.ok
      ? null
      : refused(verdict, call).failure
  const reason = [failure, job instanceof Failure ? job : null].find((one) => one !== null)
  return {
    would_succeed: reason === undefined,
    cost: job instanceof Failure ? 0 : cost,
    ...(reason !== undefined && {
      reason: {
        code: reason.code,
        message: reason.message,
        details: reason.details,
        ...reason.numbers,
      },
    }),
    ...accountOf(verdict.standing),
  }
}

const accountOf = (standing: Standing | null) =>
  standing === null
    ? {}
    : {
        credits: standing.credits,
        windows: standing.windows.map(({ limit, name, remaining }) => ({ window: name, limit, remaining })),
      }
