/**
 * The addresses that a browser opens: the beginning of a sign-on, and the return. The answer is a redirection, or a page that says
 * why the sign-on failed.
 */

import type { Failure } from '../../base/failure.ts'
import { html } from '../../base/html.ts'
import type { Incoming, OnInternalError } from '../../protocol/incoming.ts'
import { failureOf } from '../../protocol/reply.ts'
import { type FlowParts, type Redirection, signOnFlow } from './flow.ts'
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

interface BrowserAnswer {
  readonly status: number
  /** Names and values alternating. */
  readonly headers: string[]
  readonly body: string
  readonly requestId: string
  /** The code of a failure; null: a redirection. */
  readonly code: Failure['code'] | null
}

const redirection = (requestId: string, { cookies, location }: Redirection): BrowserAnswer => ({
  status: 303,
  body: '',
  requestId,
  code: null,
  headers: [
    'location',
    location,
    'cache-control',
    'no-store',
    'x-request-id',
    requestId,
    ...cookies.flatMap((one) => ['set-cookie', one]),
  ],
})

/** @param styles path of the sheet @param back address of the page to begin again */
function failurePage(
  requestId: string,
  { code, message, retryAfterSeconds, status }: Failure,
  { back, styles }: { readonly back: string; readonly styles: string },
): BrowserAnswer {
  return {
    status,
    requestId,
    code,
    headers: [
      'content-type',
      'text/html; charset=utf-8',
      'cache-control',
      'no-store',
      'x-request-id',
      requestId,
      ...(retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)]),
    ],
    body: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Sign-on · quantd</title><link rel="stylesheet" href="${styles}"></head>
<body><main class="account"><section class="narrow"><h1>You are not signed on</h1>
<p class="lead">${message}</p><p><a href="${back}">Back to log in</a></p>
<p class="hint">${code} · ${requestId}</p></section></main></body></html>
`.markup,
  }
}
