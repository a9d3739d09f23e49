/**
 * Login and logout of the page. The token is exchanged for a session in a cookie that scripts cannot read and other origins
 * cannot use. A script that was injected into the page could act while it is open, but could not steal the token or session.
 */

import { OPERATOR_SESSION_MS } from '../../base/limits/operation.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import type { Incoming } from '../../protocol/incoming.ts'
import { inputReader } from '../../protocol/input.ts'
import { type Reply, success } from '../../protocol/reply.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { beginSession, endSession, type OperatorToken } from '../tokens.ts'
import { refuseOtherPages, sessionCookie, sessionOf, tokenOf } from './authenticate.ts'
import { eventOf, type OperatorPipeline } from './serve.ts'
import { endOfPerson, idTokenCookie, type OperatorSignOn } from './sign-on.ts'

interface SessionRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(incoming: Incoming): Promise<Reply>
}

const credentials = inputReader<{ token: string }>(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
)

/** @param signOn null: there is no sign-on at a provider */
export function sessionRoutes(pipeline: OperatorPipeline, signOn: OperatorSignOn | null): SessionRoute[] {
  const { hashToken, receiver, store } = pipeline
  return [
    {
      method: 'GET',
      path: '/operator/session',
      answer: async (incoming) =>
        success(JSON.stringify(sessionJson(await sessionOf(pipeline, incoming))), incoming.requestId),
    },
    {
      method: 'POST',
      path: '/operator/session',
      async answer(incoming) {
        refuseOtherPages(incoming)
        const given = await credentials(receiver, incoming)
        const token = await tokenOf(pipeline, incoming, given.token.trim())
        const secret = newOperatorToken()
        const session = await store.run(beginSession, {
          token,
          hash: hashToken(secret),
          lifeMs: OPERATOR_SESSION_MS,
          event: eventOf(incoming, token),
        })
        const reply = success(JSON.stringify(sessionJson(session)), incoming.requestId)
        return { ...reply, headers: ['set-cookie', sessionCookie(incoming, secret, OPERATOR_SESSION_MS)] }
      },
    },
    {
      method: 'POST',
      path: '/operator/session/end',
      async answer(incoming) {
        const session = await sessionOf(pipeline, incoming)
        await store.run(endSession, { id: session.id, event: eventOf(incoming, session) })
        const isPerson = signOn !== null && session.person.startsWith('person ')
        const data = { sign_out: isPerson ? await endOfPerson(signOn, incoming) : null }
        return {
          ...success(JSON.stringify(data), incoming.requestId),
          headers: [sessionCookie(incoming, '', 0), idTokenCookie(incoming, '')].flatMap((one) => [
            'set-cookie',
            one,
          ]),
        }
      },
    },
  ]
}

const sessionJson = ({ expiresAt, name, role }: OperatorToken) => ({
  name,
  role,
  expires_at: isoTime(expiresAt),
})
