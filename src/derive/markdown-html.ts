/** Markdown of the documents as HTML: anchors at headings, links to pages instead of files, samples that can be copied. */
import { Marked, Renderer, type Tokens } from 'marked'
import { type Html, html } from './html.ts'
import { sample } from './reference-endpoint.ts'

/** Our own text: raw HTML, of which it has only comments, is left out. */
export const markdownHtml = (markdown: string): Html => ({
  markup: new Marked({ gfm: true, renderer }).parse(markdown, { async: false }),
})

const plain = new Renderer()

const renderer = {
  html: () => '',
  heading(this: Renderer, { depth, text, tokens }: Tokens.Heading): string {
    return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  link(this: Renderer, { href, tokens }: Tokens.Link): string {
    return html`<a href="${pageOf(href)}">${{ markup: this.parser.parseInline(tokens) }}</a>`.markup
  },
  code: ({ lang, text }: Tokens.Code): string =>
    sample(LANGUAGES[lang ?? ''] ?? lang ?? '', text, 'Sample').markup,
  table(this: Renderer, token: Tokens.Table): string {
    plain.parser = this.parser
    return `<div class="scroll" tabindex="0" role="region" aria-label="Table">${plain.table(token)}</div>\n`
  },
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '': 'text',
  sh: 'shell',
  ts: 'TypeScript',
  python: 'Python',
}

/** As GitHub makes them. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Address of the HTML page of a Markdown file. */
export const pageOf = (address: string): string =>
  /^\w+:/.test(address) ? address : address.replace(/\.md(?=$|#)/, '')
