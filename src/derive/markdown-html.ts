/** Markdown of the documents as HTML: anchors at headings, links to pages instead of files, samples that can be copied. */
import { Marked, Renderer, type Tokens } from 'marked'
import { type Html, html } from '../base/html.ts'
import { ORIGIN } from './code-samples.ts'

/**
 * Leaves out raw HTML, since the only raw HTML of the documents is comments.
 * @param part title of the text if it is one part of a page, whose headings then get no anchors; '' if it is the whole page
 */
export const markdownHtml = (markdown: string, part = ''): Html => ({
  markup: new Marked({ gfm: true, renderer: renderer(part) }).parse(markdown, { async: false }),
})

/** Samples and tables are numbered, so that each has a name of its own for screen readers. */
function renderer(part: string) {
  const plain = new Renderer()
  let [samples, tables] = [0, 0]
  return {
    html: () => '',
    heading(this: Renderer, { depth, text, tokens }: Tokens.Heading): string {
      const id = part === '' ? ` id="${anchor(text)}"` : ''
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link(this: Renderer, { href, tokens }: Tokens.Link): string {
      return html`<a href="${pageOf(href)}">${{ markup: this.parser.parseInline(tokens) }}</a>`.markup
    },
    code({ lang = '', text }: Tokens.Code): string {
      samples += 1
      return sample(LANGUAGES[lang] ?? lang, text, `Sample ${samples}`).markup
    },
    table(this: Renderer, token: Tokens.Table): string {
      plain.parser = this.parser
      tables += 1
      const label = `Table ${tables}${part === '' ? '' : ` of ${part}`}`
      const table = plain.table(token).replace(/<th( [^>]*)?><\/th>/g, '<td></td>')
      return `<div class="scroll" tabindex="0" role="region" aria-label="${html`${label}`.markup}">${table}</div>\n`
    },
  }
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '': 'text',
  sh: 'shell',
  ts: 'TypeScript',
  python: 'Python',
}

/** A script of the page replaces the origin with the address of the page. */
export const sample = (language: string, code: string, title: string): Html => html`
<figure class="sample"><figcaption><span>${language}</span></figcaption><pre tabindex="0" role="region" aria-label="${title}: ${language}"><code>${code
  .split(ORIGIN)
  .map(
    (part, index) => html`${index === 0 ? null : html`<span data-origin>${ORIGIN}</span>`}${part}`,
  )}</code></pre></figure>`

/** The anchor that GitHub makes for a heading. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Address of the HTML page of a Markdown file. */
export const pageOf = (address: string): string =>
  /^\w+:/.test(address) ? address : address.replace(/\.md(?=$|#)/, '')
