/** Runs tool calls: each computation through the pipeline, `quote` and `account` beside it. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Handler } from '../accounts/handler.ts'
import { nearest } from '../body/nearest.ts'
import type { Computation } from '../compute/computation.ts'
import type { Sources } from '../derive/described.ts'
import { ACCOUNT, accountTools, computationTools, QUOTE, type Tool } from '../derive/tools.ts'
import { type AccountPipeline, accountServer } from '../pipeline/serve-account.ts'
import { argumentBytes } from './arguments.ts'
import { MAX_QUOTE_BYTES, quote } from './quote.ts'
import { resultOf, standingOf, success } from './result.ts'
import { compute, request, type Session } from './session.ts'

export interface McpParts extends AccountPipeline {
  readonly computations: ReadonlyMap<string, Computation>
  readonly handlers: readonly Handler[]
  readonly sources: Sources
}

export interface Tools {
  readonly list: readonly Tool[]
  /** null: there is no such tool. */
  call(session: Session, name: string): Promise<CallToolResult> | null
  /** The name that is most like one that does not exist. */
  nearest(name: string): string | null
}

export function tools(parts: McpParts): Tools {
  const computations = computationTools(parts.sources)
  const byName = new Map(computations.map(({ name, path }) => [name, parts.computations.get(path)!]))
  const account = accountTool(parts)
  const list = [...computations.map(({ path: _, ...tool }) => tool), ...accountTools]
  const names = list.map(({ name }) => name)
  return {
    list,
    call(session, name) {
      if (name === ACCOUNT) return account(session)
      if (name === QUOTE) return quoteTool(session, byName)
      const computation = byName.get(name)
      return computation === undefined ? null : computeTool(session, computation)
    },
    nearest: (name) => nearest(name, names),
  }
}

async function computeTool(session: Session, computation: Computation): Promise<CallToolResult> {
  const reply = await compute(
    session,
    computation,
    argumentBytes(session.params.arguments, session.hasSpecialNumbers),
  )
  return resultOf(reply, `quantd://results/${session.incoming.id}`)
}

async function quoteTool(
  session: Session,
  computations: ReadonlyMap<string, Computation>,
): Promise<CallToolResult> {
  const { tool, arguments: given } = (session.params.arguments ?? {}) as {
    tool?: unknown
    arguments?: unknown
  }
  const computation = computations.get(String(tool))
  if (computation === undefined) {
    const close = nearest(String(tool), [...computations.keys()])
    return refusal(
      `tool must be the name of a computation${close === null ? '' : `; did you mean ${close}?`}`,
    )
  }
  const body = argumentBytes(given, session.hasSpecialNumbers)
  if (body.length > MAX_QUOTE_BYTES)
    return refusal(`arguments has ${body.length} bytes; a quote takes up to ${MAX_QUOTE_BYTES}.`)
  return success(await quote(session, computation, body))
}

function accountTool(parts: McpParts): (session: Session) => Promise<CallToolResult> {
  const handler = parts.handlers.find(({ endpoint }) => endpoint.path === '/user/profile')!
  const serve = accountServer(parts, handler)
  return async (session) => {
    const reply = await serve(request(session, 'GET', handler.endpoint.path, {}, null))
    if (reply.status !== 200) return resultOf(reply, '')
    const { account_type, expires_at } = JSON.parse(String(reply.body)).data
    const { credits, windows } = standingOf(reply)
    return success({ account_type, credits, ...(expires_at !== undefined && { expires_at }), windows })
  }
}

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })
