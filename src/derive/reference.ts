/** The reference as one HTML page: guide, every endpoint, the table of failures; and the page of a single endpoint. */
import { type Described, describe, type Failures, type Sources } from './described.ts'
import { failureMessages } from './failure-messages.ts'
import { guide, type Section } from './guide.ts'
import { type Html, html, prose } from './html.ts'
import { type DocumentLink, layout } from './page-layout.ts'
import { referenceEndpoint } from './reference-endpoint.ts'

export function reference(sources: Sources, documents: readonly DocumentLink[]): string {
  const described = describe(sources)
  const areas = [...new Set(described.map(({ area }) => area))].map(
    (area) => [area, described.filter((one) => one.area === area)] as const,
  )
  return layout(sources, documents, {
    path: '/docs',
    title: 'quantd reference',
    description:
      'Every endpoint of quantd, with fields, errors and samples in curl, Python and TypeScript, and guides to its limits and credits.',
    markdown: '/docs.md',
    main: html`<h1>Reference</h1>
<p class="lead">Version ${sources.version}. This reference is generated from the declarations of the running service. For tools, use the
OpenAPI document: <a href="/openapi.json">openapi.json</a>. For AI clients, all of it is Markdown: <a href="/llms.txt">llms.txt</a>.</p>
${guide(sources.offer).map(section)}
${areas.map(([area, some]) => html`<h2 id="${anchor(area)}">${area}</h2>${some.map((one) => referenceEndpoint(one, sources.failures, 'part'))}`)}
${failureTable(sources.failures)}`,
  })
}

/** Page of one endpoint. */
export const endpointPage = (sources: Sources, documents: readonly DocumentLink[], one: Described): string =>
  layout(sources, documents, {
    path: `/docs/reference/${one.id}`,
    title: `${one.title} · quantd`,
    description: one.summary,
    markdown: `/docs/reference/${one.id}.md`,
    main: referenceEndpoint(one, sources.failures, 'page'),
  })

const section = ({ id, title, paragraphs, table }: Section): Html => html`
<section class="guide" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${paragraphs.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${
  table === undefined
    ? null
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${title}"><table><thead><tr>${table.head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
</section>`

const failureTable = (failures: Failures): Html => html`
<section class="guide wide" aria-labelledby="errors">
<h2 id="errors">Failure codes</h2>
<p>Codes are listed in order of precedence: if several apply, the reply carries the first. Messages marked “always” are exact; the others are examples.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table: Failure codes"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Condition</th><th scope="col">Message</th></tr></thead>
<tbody>${Object.entries(failures).map(
  ([code, { status, title }]) => html`<tr id="error-${code}">
<td>${status}</td><th scope="row"><a href="/docs/reference/errors/${code}"><code>${code}</code></a></th><td>${title}</td><td>${failureMessages[code] ?? ''}${
    EXACT.includes(code) ? html` <span class="bounds">always</span>` : null
  }</td></tr>`,
)}</tbody>
</table></div>
</section>`

const EXACT = ['api_key_invalid', 'guest_key_expired']

const anchor = (area: string): string => `area-${area.toLowerCase().replaceAll(' ', '-')}`
