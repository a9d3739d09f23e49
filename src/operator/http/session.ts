/**
 * Log in and log out of the page. The token is exchanged for a session in a cookie that scripts cannot read and that other
 * origins cannot use: a script that got into the page could act while it is open, but could take nothing away.
 */
import Type from 'typebox'
import { parse } from '../../body/parse.ts'
import { validator } from '../../body/validate.ts'
import { OPERATOR_SESSION_MS } from '../../limits/operation.ts'
import type { Incoming } from '../../pipeline/incoming.ts'
import { type Reply, success, unsettledReply } from '../../pipeline/reply.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { instant } from '../account-json.ts'
import { beginSession, endSession, type OperatorToken } from '../tokens.ts'
import { refuseOtherPages, sessionCookie, sessionOf, tokenOf } from './authenticate.ts'
import { eventOf, type OperatorPipeline, receive } from './serve.ts'
import { endAtProvider, idTokenCookie, type OperatorSignOn } from './sign-on.ts'

export interface SessionRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(incoming: Incoming): Promise<Reply>
}

const credentials = validator<{ token: string }>(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
)

/** @param signOn null: nobody signs on at a provider */
export function sessionRoutes(pipeline: OperatorPipeline, signOn: OperatorSignOn | null): SessionRoute[] {
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
      return { ...reply, headers: ['set-cookie', sessionCookie(incoming, secret, OPERATOR_SESSION_MS)] }
    }),
    route('POST', '/operator/session/end', async (incoming) => {
      const session = await sessionOf(pipeline, incoming)
      await store.run(endSession, { id: session.id, event: eventOf(incoming, session) })
      const isPerson = signOn !== null && session.person.startsWith('person ')
      const data = { sign_out: isPerson ? await endAtProvider(signOn, incoming) : null }
      return {
        ...success(JSON.stringify(data), incoming.requestId),
        headers: [sessionCookie(incoming, '', 0), idTokenCookie(incoming, '')].flatMap((one) => [
          'set-cookie',
          one,
        ]),
      }
    }),
  ]
}

const sessionJson = ({ expiresAt, name, role }: OperatorToken) => ({
  ...{ name, role, expires_at: instant(expiresAt) },
})
