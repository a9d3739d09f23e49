/** The page that a browser gets for an address without one. */
import type { Sources } from '../derive/described.ts'
import { markdownPages } from '../derive/markdown.ts'
import { layout } from '../derive/page-layout.ts'
import { html } from '../html.ts'

/** Returns a function that makes the page once: it is the same for every address, so that asking for many costs nothing. */
export function notFoundPage(sources: Sources): () => Buffer {
  let page: Buffer | undefined
  return () => (page ??= Buffer.from(pageOf(sources)))
}

const pageOf = (sources: Sources): string =>
  layout(markdownPages(sources), {
    path: '/404',
    title: 'Page not found · quantd',
    description: 'There is no page at this address.',
    markdown: '/llms.txt',
    main: html`<h1>Page not found</h1>
<p class="lead">There is no page at this address. Back to the <a href="/">console</a> or the <a href="/docs">reference</a>.</p>`,
  })
