/**
 * The first page of the reference, which links every other page, the page of a single endpoint, and the frame of all of them.
 */
import { type Html, html } from '../base/html.ts'
import { indented, samplesOf } from './code-samples.ts'
import type { Described, Failures, Sources } from './documented-endpoints.ts'
import { failureReply } from './general-rules.ts'
import { endpointText, exampleReply, type MarkdownPage } from './markdown.ts'
import { markdownHtml, pageOf, sample } from './markdown-html.ts'

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

interface PageParts {
  /** Path of this page. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** Path of the same page as Markdown. */
  readonly markdown: string
  readonly main: Html
}

/** @param pages the pages that the contents list */
export const layout = (
  pages: readonly MarkdownPage[],
  { description, main, markdown, path, title }: PageParts,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/reference.css">
<link rel="alternate" type="text/markdown" href="${markdown}" title="This page as Markdown">
<script type="module" src="/assets/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/">quantd</a>
<nav aria-label="Pages"><a href="/#/pricing/bs/price">Console</a><a href="/#/account">Account</a>${link('/docs', 'Reference', path)}</nav>
</header>
<div class="columns">
<nav class="side" aria-label="Contents">
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents <span class="hint">and search</span></button>
<div id="contents">
<div class="search" role="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="field, code, guide …"></div>
<p class="unseen" role="status" id="found"></p>
<ul class="results" hidden></ul>
<div class="contents">
${contents(pages, path)}
</div></div>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.markup

const contents = (pages: readonly MarkdownPage[], path: string): Html[] =>
  [...Map.groupBy(pages, ({ group }) => group)]
    .filter(([group]) => group !== null)
    .map(
      ([group, some]) => html`<h2>${group}</h2>
<ul>${some.map((one) => html`<li>${link(pageOf(one.path), one.title, path)}</li>`)}</ul>`,
    )

const link = (to: string, title: string, path: string): Html =>
  to === path ? html`<a href="${to}" aria-current="page">${title}</a>` : html`<a href="${to}">${title}</a>`
