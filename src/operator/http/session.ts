/**
 * Log in and log out of the page. The token is exchanged for a session in a cookie that scripts cannot read and that other
 * origins cannot use: a script that got into the page could act while it is open, but could take nothing away.
 */
import Type from 'typebox'
import { parse } from '../../body/parse.ts'
import { validator } from '../../body/validate.ts'
import { OPERATOR_SESSION_MS } from '../../limits/operation.ts'
import { isLoopback } from '../../loopback.ts'
import type { Incoming } from '../../pipeline/incoming.ts'
import { type Reply, success, unsettledReply } from '../../pipeline/reply.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { SECOND_MS } from '../../time.ts'
import { instant } from '../account-json.ts'
import { beginSession, endSession, type OperatorToken } from '../tokens.ts'
import { refuseOtherPages, SESSION_COOKIE, sessionOf, tokenOf } from './authenticate.ts'
import { eventOf, type OperatorPipeline, receive } from './serve.ts'

export interface SessionRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(incoming: Incoming): Promise<Reply>
}

const credentials = validator<{ token: string }>(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
)

export function sessionRoutes(pipeline: OperatorPipeline): SessionRoute[] {
  const { hashToken, store } = pipeline
  const route = (
    method: SessionRoute['method'],
    path: string,
    handle: (incoming: Incoming) => Promise<Reply>,
  ): SessionRoute => ({
    ...{ method, path },
    answer: (incoming) =>
      handle(incoming).catch((error) => unsettledReply(error, pipeline.onInternalError, incoming.requestId)),
  })
  return [
    route('GET', '/operator/session', async (incoming) =>
      success(JSON.stringify(sessionJson(await sessionOf(pipeline, incoming))), incoming.requestId),
    ),
    route('POST', '/operator/session', async (incoming) => {
      refuseOtherPages(incoming)
      const given = credentials.validate(parse(await receive(pipeline, incoming, true)))
      const token = await tokenOf(pipeline, incoming, given.token.trim())
      const secret = newOperatorToken()
      const session = await store.run(beginSession, {
        ...{ token, hash: hashToken(secret), lifeMs: OPERATOR_SESSION_MS, event: eventOf(incoming, token) },
      })
      const reply = success(JSON.stringify(sessionJson(session)), incoming.requestId)
      return { ...reply, headers: ['set-cookie', cookie(incoming, secret, OPERATOR_SESSION_MS)] }
    }),
    route('POST', '/operator/session/end', async (incoming) => {
      const session = await sessionOf(pipeline, incoming)
      await store.run(endSession, { id: session.id, event: eventOf(incoming, session) })
      return { ...success('{}', incoming.requestId), headers: ['set-cookie', cookie(incoming, '', 0)] }
    }),
  ]
}

const sessionJson = ({ expiresAt, name, role }: OperatorToken) => ({
  ...{ name, role, expires_at: instant(expiresAt) },
})

/** `Secure` but on this machine, where there is no TLS and not every browser makes an exception. */
function cookie({ headers }: Incoming, value: string, lifeMs: number): string {
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  const attributes = `Path=/operator; HttpOnly; SameSite=Strict; Max-Age=${lifeMs / SECOND_MS}`
  return `${SESSION_COOKIE}=${value}; ${attributes}${isLoopback(host) ? '' : '; Secure'}`
}
