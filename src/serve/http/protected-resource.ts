/**
 * The metadata by which programs find the provider whose access tokens the service takes (RFC 9728), and the parameters of
 * `WWW-Authenticate` that lead there.
 */
import type { IncomingMessage } from 'node:http'
import { originOf } from '../../accounts/sign-on/cookies.ts'
import { refuseUnknownParameters } from '../../compute/body/validate.ts'
import type { Incoming, RequestHeaders, Scheme } from '../../protocol/incoming.ts'
import { JSON_TYPE, type PrintedReply, unbilled } from './printed-reply.ts'
import { pathOf } from './router.ts'

export interface ProtectedResource {
  readonly issuer: string
  readonly scope: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
/** The paths that are resources of their own: MCP clients ask for the metadata of the address that they were given. */
const RESOURCES = ['', '/mcp']

/** The origin that a request names is that of the metadata, because the service may have several names. */
export const metadataRoutes = ({ issuer, scope }: ProtectedResource) =>
  RESOURCES.map((resource) => ({
    method: 'GET' as const,
    path: WELL_KNOWN + resource,
    isForLocalPages: true as const,
    answer(incoming: Incoming): PrintedReply {
      const { query, requestId } = incoming
      refuseUnknownParameters(query, [])
      const origin = originOf(incoming) ?? ''
      const metadata = {
        resource: origin + resource,
        authorization_servers: [issuer],
        scopes_supported: [scope],
        bearer_methods_supported: ['header'],
        resource_name: 'quantd',
        resource_documentation: `${origin}/docs/how-to/sign-on`,
      }
      const fixed = [...JSON_TYPE, 'cache-control', 'no-store', 'x-request-id', requestId]
      return { status: 200, headers: fixed, body: JSON.stringify(metadata), ...unbilled(requestId) }
    },
  }))

/** Adds to the challenge of a reply, if it has one, where the metadata are and the scope that a token needs. */
export function completeChallenge(
  head: string[],
  { scope }: ProtectedResource,
  request: IncomingMessage,
  scheme: Scheme,
): void {
  const at = head.indexOf('www-authenticate')
  const origin = originOf({ headers: request.headers as RequestHeaders, scheme })
  if (at < 0 || origin === null) return
  const resource = RESOURCES.find((path) => path !== '' && path === pathOf(request)) ?? ''
  head[at + 1] += `, resource_metadata="${origin}${WELL_KNOWN}${resource}", scope="${scope}"`
}
