/** The first page of the reference, which links every other page, and the page of a single endpoint. */

import { html } from '../html.ts'
import type { Described, Sources } from './described.ts'
import type { MarkdownPage } from './markdown.ts'
import { markdownHtml } from './markdown-html.ts'
import { layout } from './page-layout.ts'
import { referenceEndpoint } from './reference-endpoint.ts'

export const reference = (sources: Sources, pages: readonly MarkdownPage[]): string =>
  layout(pages, {
    path: '/docs',
    title: 'quantd reference',
    description:
      'Every endpoint of quantd, with fields, errors and samples in curl, Python and TypeScript, and guides to its limits and credits.',
    markdown: '/docs.md',
    main: html`<div class="document"><h1>Reference</h1>
<p class="lead">Version ${sources.version}. This reference is generated from the declarations of the running service. For tools, use the
OpenAPI document: <a href="/openapi.json">openapi.json</a>. For AI clients, all of it is Markdown: <a href="/llms.txt">llms.txt</a>.</p>
${[...Map.groupBy(pages, ({ group }) => group)]
  .filter(([group]) => group !== null)
  .map(
    ([group, some]) => html`<h2>${group}</h2>
${markdownHtml(some.map(({ path, summary, title }) => `- [${title}](${path}): ${summary}`).join('\n'))}`,
  )}
</div>`,
  })

/** Page of one endpoint. */
export const endpointPage = (sources: Sources, pages: readonly MarkdownPage[], one: Described): string =>
  layout(pages, {
    path: `/docs/reference/${one.id}`,
    title: `${one.title} · quantd`,
    description: one.summary,
    markdown: `/docs/reference/${one.id}.md`,
    main: referenceEndpoint(one, sources.failures),
  })
