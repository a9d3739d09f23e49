/** The answer to a browser during a sign-on: a redirection, or a page that says why the sign-on failed. */
import type { Failure } from '../../base/failure.ts'
import { html } from '../../base/html.ts'

export interface BrowserAnswer {
  readonly status: number
  /** Names and values alternating. */
  readonly headers: string[]
  readonly body: string
  readonly requestId: string
  /** The code of a failure; null: a redirection. */
  readonly code: Failure['code'] | null
}

export interface Redirection {
  readonly location: string
  /** The values of Set-Cookie headers. */
  readonly cookies: readonly string[]
}

export const redirection = (requestId: string, { cookies, location }: Redirection): BrowserAnswer => ({
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
export function failurePage(
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
