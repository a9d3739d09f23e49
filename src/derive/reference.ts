/** The reference page as one HTML text: guide, every endpoint, the table of failures. */
import { type Described, describe, type Failures, type Sources } from './described.ts'
import { failureMessages } from './failure-messages.ts'
import { guide, type Section } from './guide.ts'
import { type Html, html, prose } from './html.ts'
import { referenceEndpoint, sample } from './reference-endpoint.ts'
import { type Tutorial, tutorials } from './tutorials.ts'

export function reference(sources: Sources): string {
  const described = describe(sources)
  const [first, rules, others] = [
    tutorials(sources.offer).slice(0, 1),
    guide(sources.offer),
    tutorials(sources.offer).slice(1),
  ]
  const areas = [...new Set(described.map(({ area }) => area))].map(
    (area) => [area, described.filter((one) => one.area === area)] as const,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>quantd reference</title>
<meta name="description" content="Every endpoint of quantd, with fields, errors and samples in curl, Python and TypeScript, and guides to its limits and credits.">
<link rel="icon" href="/assets/console/web/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/console/web/base.css">
<link rel="stylesheet" href="/assets/console/web/reference.css">
<link rel="alternate" type="text/markdown" href="/docs.md" title="Guide and reference">
<script type="module" src="/assets/console/web/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/"><img src="/assets/console/web/mark.svg" alt="" width="26" height="26">quantd</a>
<nav aria-label="Pages"><a href="/#/pricing/bs/price">Console</a><a href="/#/account">Account</a><a href="/docs" aria-current="page">Reference</a></nav>
</header>
<div class="columns">
${sidebar([...first, ...rules, ...others], areas)}
<main id="main" tabindex="-1">
<h1>Reference</h1>
<p class="lead">Version ${sources.version}. This reference is generated from the declarations of the running service. For tools, use the
OpenAPI document: <a href="/openapi.json">openapi.json</a>. For AI clients, all of it is Markdown: <a href="/llms.txt">llms.txt</a>.</p>
${first.map(tutorialSection)}
${rules.map(section)}
${others.map(tutorialSection)}
${areas.map(([area, some]) => html`<h2 id="${anchor(area)}">${area}</h2>${some.map((one) => referenceEndpoint(one, sources.failures))}`)}
${failureTable(sources.failures)}
</main>
</div>
</body>
</html>
`.markup
}

const sidebar = (
  guides: readonly (Section | Tutorial)[],
  areas: readonly (readonly [string, readonly Described[]])[],
): Html => html`
<nav class="side" aria-label="Contents">
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents <span class="hint">and search</span></button>
<div id="contents">
<div class="search" role="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="field, code, guide …"></div>
<p class="skip" role="status" id="found"></p>
<ul class="results" hidden></ul>
<div class="contents">
<h2>Guides</h2>
<ul>${[...guides, { id: 'errors', title: 'Failure codes' }].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${areas.map(
  ([area, some]) => html`<h2>${area}</h2>
<ul>${some.map(({ id, title, path }) => html`<li><a href="#${id}" data-path="${path}">${title}</a></li>`)}</ul>`,
)}
</div></div>
</nav>`

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

const tutorialSection = ({ id, title, steps }: Tutorial): Html => html`
<section class="guide" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${steps.map(({ text, code }, i) => html`<p>${linked(text)}</p>${code === undefined ? null : sample(code.language, code.text, `${title}, step ${i + 1}`)}`)}
</section>`

/** Prose with links as `[text](address)`. */
const linked = (text: string): Html[] =>
  text.split(/(\[[^\]]+\]\([^)]+\))/).flatMap((part) => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part)
    return link === null ? prose(part) : [html`<a href="${link[2]!}">${link[1]!}</a>`]
  })

const failureTable = (failures: Failures): Html => html`
<section class="guide wide" aria-labelledby="errors">
<h2 id="errors">Failure codes</h2>
<p>Codes are listed in order of precedence: if several apply, the reply carries the first. Messages marked “always” are exact; the others are examples.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table: Failure codes"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Condition</th><th scope="col">Message</th></tr></thead>
<tbody>${Object.entries(failures).map(
  ([code, { status, title }]) => html`<tr id="error-${code}">
<td>${status}</td><th scope="row"><code>${code}</code></th><td>${title}</td><td>${failureMessages[code] ?? ''}${
    EXACT.includes(code) ? html` <span class="bounds">always</span>` : null
  }</td></tr>`,
)}</tbody>
</table></div>
</section>`

const EXACT = ['api_key_invalid', 'guest_key_expired']

const anchor = (area: string): string => `area-${area.toLowerCase().replaceAll(' ', '-')}`
