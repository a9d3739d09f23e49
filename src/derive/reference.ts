/** The first page of the reference, which links every other page, and the page of a single endpoint. */
import { type Html, html } from '../base/html.ts'
import { indented, samplesOf } from './code-samples.ts'
import type { Described, Failures, Sources } from './documented-endpoints.ts'
import { failureReply } from './failure-messages.ts'
import { endpointText, exampleReply, type MarkdownPage } from './markdown.ts'
import { markdownHtml, sample } from './markdown-html.ts'
import { layout } from './page-layout.ts'

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

function referenceEndpoint(one: Described, failures: Failures): Html {
  const { computation, example, id, path, title } = one
  const code = samplesOf(one)
  return html`
<article class="endpoint" id="${id}">
<div class="endpoint-text">
${markdownHtml(`# ${title}\n\n${endpointText(one, failures)}`, title)}
</div>
<div class="endpoint-code">
<div class="samples" data-for="${title}">
${sample('curl', code.curl, title)}
${sample('Python', code.python, title)}
${sample('TypeScript', code.typescript, title)}
</div>
${sample('Reply', indented(exampleReply(one)), title)}
${failureExample(one)}
${computation ? html`<p><a class="button" href="/#${path.replace(/^\/quantlib/, '')}?body=${encodeURIComponent(JSON.stringify(example.input))}">Try it</a></p>` : null}
</div>
</article>`
}

/** The reply of the first failure that a caller is likely to see. */
function failureExample({ failures, title }: Described): Html | null {
  const code = ['invalid_input', 'invalid_credentials', 'otp_invalid', 'api_key_invalid', 'unavailable'].find(
    (one) => failures.includes(one),
  )
  if (code === undefined) return null
  return html`<details><summary>A failure</summary>${sample('Failure', indented(failureReply(code)), title)}</details>`
}
