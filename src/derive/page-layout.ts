/** The frame of every HTML page of the documents: head, bar, search and contents. */
import { describe, type Sources } from './described.ts'
import { guide } from './guide.ts'
import { type Html, html } from './html.ts'

/** A document of docs/, in the contents. */
export interface DocumentLink {
  /** Without `.md`. */
  readonly path: string
  readonly title: string
  readonly group: string
}

export interface PageParts {
  /** Of this page. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** Path of the same page as Markdown. */
  readonly markdown: string
  readonly main: Html
}

export const layout = (
  sources: Sources,
  documents: readonly DocumentLink[],
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
<link rel="icon" href="/assets/console/web/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/console/web/base.css">
<link rel="stylesheet" href="/assets/console/web/reference.css">
<link rel="alternate" type="text/markdown" href="${markdown}" title="This page as Markdown">
<script type="module" src="/assets/console/web/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/"><img src="/assets/console/web/mark.svg" alt="" width="26" height="26">quantd</a>
<nav aria-label="Pages"><a href="/#/pricing/bs/price">Console</a><a href="/#/account">Account</a>${link('/docs', 'Reference', path)}</nav>
</header>
<div class="columns">
<nav class="side" aria-label="Contents">
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents <span class="hint">and search</span></button>
<div id="contents">
<div class="search" role="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="field, code, guide …"></div>
<p class="skip" role="status" id="found"></p>
<ul class="results" hidden></ul>
<div class="contents">
${contents(sources, documents, path)}
</div></div>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.markup

/** On the page of the whole reference its parts are anchors, elsewhere pages of their own. */
function contents(sources: Sources, documents: readonly DocumentLink[], path: string): Html[] {
  const to = (id: string): string => (path === '/docs' ? `#${id}` : `/docs/reference/${id}`)
  const groups = [...new Set(documents.map(({ group }) => group))]
  const described = describe(sources)
  return [
    ...groups.map((group) =>
      list(
        group,
        documents.filter((one) => one.group === group).map((one) => link(one.path, one.title, path)),
      ),
    ),
    list(
      'Guide',
      [...guide(sources.offer), { id: 'errors', title: 'Failure codes' }].map(({ id, title }) =>
        link(to(id), title, path),
      ),
    ),
    ...[...new Set(described.map(({ area }) => area))].map((area) =>
      list(
        area,
        described.filter((one) => one.area === area).map(({ id, title }) => link(to(id), title, path)),
      ),
    ),
  ]
}

const list = (title: string, links: readonly Html[]): Html => html`<h2>${title}</h2>
<ul>${links.map((one) => html`<li>${one}</li>`)}</ul>`

const link = (to: string, title: string, path: string): Html =>
  to === path ? html`<a href="${to}" aria-current="page">${title}</a>` : html`<a href="${to}">${title}</a>`
