/** The reference as one HTML page: guide, every endpoint, the table of failures; and the page of a single endpoint. */
import { type Described, describe, type Sources } from './described.ts'
import { guide } from './guide.ts'
import { type Html, html } from './html.ts'
import { failureText, guideText, type MarkdownPage } from './markdown.ts'
import { markdownHtml } from './markdown-html.ts'
import { layout } from './page-layout.ts'
import { referenceEndpoint } from './reference-endpoint.ts'

export function reference(sources: Sources, pages: readonly MarkdownPage[]): string {
  const areas = Map.groupBy(describe(sources), ({ area }) => area)
  return layout(pages, {
    path: '/docs',
    title: 'quantd reference',
    description:
      'Every endpoint of quantd, with fields, errors and samples in curl, Python and TypeScript, and guides to its limits and credits.',
    markdown: '/docs.md',
    main: html`<h1>Reference</h1>
<p class="lead">Version ${sources.version}. This reference is generated from the declarations of the running service. For tools, use the
OpenAPI document: <a href="/openapi.json">openapi.json</a>. For AI clients, all of it is Markdown: <a href="/llms.txt">llms.txt</a>.</p>
${guide(sources.offer).map((one) => section(one.id, one.title, guideText(one)))}
${[...areas].map(([area, some]) => html`<h2>${area}</h2>${some.map((one) => referenceEndpoint(one, sources.failures, 3))}`)}
${section('errors', 'Failure codes', failureText(sources.failures))}`,
  })
}

/** Page of one endpoint. */
export const endpointPage = (sources: Sources, pages: readonly MarkdownPage[], one: Described): string =>
  layout(pages, {
    path: `/docs/reference/${one.id}`,
    title: `${one.title} · quantd`,
    description: one.summary,
    markdown: `/docs/reference/${one.id}.md`,
    main: referenceEndpoint(one, sources.failures, 1),
  })

const section = (id: string, title: string, text: string): Html => html`
<section class="guide" id="${id}">
${markdownHtml(`## ${title}\n\n${text}`, title)}
</section>`
