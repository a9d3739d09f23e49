/** The frame of every HTML page of the documents: head, bar, search and contents. */
import { type Html, html } from '../base/html.ts'
import type { MarkdownPage } from './markdown.ts'
import { pageOf } from './markdown-html.ts'

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
