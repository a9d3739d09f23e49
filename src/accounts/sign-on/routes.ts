/** The addresses that a browser opens: the beginning of a sign-on, and the return. A failure is answered with a page. */
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { failureOf } from '../../protocol/reply.ts'
import { type BrowserAnswer, failurePage, type Redirection, redirection } from './answer.ts'
import { type FlowParts, signOnFlow } from './flow.ts'
import type { SignedOn } from './provider.ts'

export interface BrowserRoute {
  readonly path: string
  answer(incoming: Incoming): Promise<BrowserAnswer>
}

interface PageParts {
  readonly page: Parameters<typeof failurePage>[2]
  readonly onInternalError: OnInternalError
}

/** @param welcome makes the answer for a person who has signed on; throws Failure */
export function signOnRoutes(
  parts: FlowParts & PageParts,
  welcome: (incoming: Incoming, person: SignedOn) => Promise<Redirection>,
): BrowserRoute[] {
  const flow = signOnFlow(parts)
  return [
    redirectionRoute(parts, parts.path, flow.begin),
    redirectionRoute(parts, `${parts.path}/callback`, async (incoming) => {
      const { cookies, location } = await welcome(incoming, await flow.finish(incoming))
      return { location, cookies: [flow.forget(incoming), ...cookies] }
    }),
  ]
}

/** @param handle throws Failure */
export const redirectionRoute = (
  { onInternalError, page }: PageParts,
  path: string,
  handle: (incoming: Incoming) => Promise<Redirection>,
): BrowserRoute => ({
  path,
  async answer(incoming) {
    const { requestId } = incoming
    try {
      return redirection(requestId, await handle(incoming))
    } catch (error) {
      return failurePage(requestId, failureOf(error, onInternalError, requestId), page)
    }
  },
})
