/** Runs tool calls: each computation through the pipeline, `quote` and `account` beside it. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { nearest } from '../body/nearest.ts'
import type { Computation } from '../compute/computation.ts'
import type { Sources } from '../derive/described.ts'
import {
  ACCOUNT,
  COLUMNS,
  COLUMNS_PATH,
  computationTools,
  QUOTE,
  type Tool,
  toolList,
} from '../derive/tools.ts'
import { Failure } from '../failure.ts'
import { MCP_QUOTE_BYTES } from '../limits.ts'
import type { Handler } from '../pipeline/handler.ts'
import { type AccountPipeline, accountServer } from '../pipeline/serve-account.ts'
import { argumentBytes } from './arguments.ts'
import { quote } from './quote.ts'
import { resultOf, standingOf, success, textOf } from './result.ts'
import { compute, request, type Session } from './session.ts'

export interface McpParts extends AccountPipeline {
  readonly computations: ReadonlyMap<string, Computation>
  readonly handlers: readonly Handler[]
  readonly sources: Sources
  /** Origins whose pages may use the service. */
  readonly corsOrigins: readonly string[]
}

export interface Tools {
  readonly list: readonly Tool[]
  /** null: there is no such tool. */
  call(session: Session, name: string): Promise<CallToolResult> | null
  /** The name that is most like one that does not exist. */
  nearest(name: string): string | null
}

export function tools(parts: McpParts): Tools {
  const own = computationTools(parts.sources)
  const targets = new Map(own.map(({ name, path }) => [name, parts.computations.get(path)!]))
  const list = toolList(parts.sources)
  const names = list.map(({ name }) => name)
  const account = accountTool(parts)
  const targetOf = (name: string, given: unknown): Target | string | null => {
    if (name === COLUMNS) return columnsTarget(parts.computations, targets, given)
    const computation = targets.get(name)
    return computation === undefined ? null : { computation, body: given }
  }
  return {
    list,
    call(session, name) {
      const given = session.params.arguments
      if (name === ACCOUNT) return account(session)
      if (name === QUOTE) return quoteTool(session, targetOf, [...targets.keys(), COLUMNS])
      const target = targetOf(name, given)
      return target === null ? null : computeTool(session, target)
    },
    nearest: (name) => nearest(name, names),
  }
}

/** A computation and the body of the request to it. */
interface Target {
  readonly computation: Computation
  readonly body: unknown
}

/** A string says what is wrong with the arguments. */
function columnsTarget(
  computations: ReadonlyMap<string, Computation>,
  targets: ReadonlyMap<string, Computation>,
  given: unknown,
): Target | string {
  const { columns, tool } = (given ?? {}) as { columns?: unknown; tool?: unknown }
  const single = targets.get(String(tool))
  if (single === undefined) return unknownTool(tool, [...targets.keys()])
  const computation = computations.get(`${single.path}${COLUMNS_PATH}`)
  return computation === undefined
    ? `${tool} has no columns; put several calls into one call of the tool "batch".`
    : { computation, body: { columns } }
}

function unknownTool(tool: unknown, names: readonly string[]): string {
  const close = nearest(String(tool), names)
  return `tool must be the name of a computation${close === null ? '.' : `; did you mean ${close}?`}`
}

async function computeTool(session: Session, target: Target | string): Promise<CallToolResult> {
  if (typeof target === 'string') return refusal(target)
  const body = argumentBytes(target.body, session.hasSpecialNumbers)
  return resultOf(await compute(session, target.computation, body), `quantd://results/${session.incoming.id}`)
}

async function quoteTool(
  session: Session,
  targetOf: (name: string, given: unknown) => Target | string | null,
  names: readonly string[],
): Promise<CallToolResult> {
  const { tool, arguments: given } = (session.params.arguments ?? {}) as {
    tool?: unknown
    arguments?: unknown
  }
  const target = targetOf(String(tool), given) ?? unknownTool(tool, names)
  if (typeof target === 'string') return refusal(target)
  const body = argumentBytes(target.body, session.hasSpecialNumbers)
  if (body.length > MCP_QUOTE_BYTES)
    return refusal(`arguments has ${body.length} bytes; a quote takes up to ${MCP_QUOTE_BYTES}.`)
  return success(await quote(session, target.computation, body))
}

function accountTool(parts: McpParts): (session: Session) => Promise<CallToolResult> {
  const handler = parts.handlers.find(({ endpoint }) => endpoint.path === '/user/profile')!
  const serve = accountServer(parts, handler)
  return async (session) => {
    const reply = await serve(request(session, 'GET', handler.endpoint.path))
    if (reply.outcome instanceof Failure) return resultOf(reply, '')
    const { account_type, expires_at } = JSON.parse(textOf(reply.outcome.body))
    const { credits, windows } = standingOf(reply)
    return success({ account_type, credits, ...(expires_at !== undefined && { expires_at }), windows })
  }
}

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })
