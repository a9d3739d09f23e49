/** Markdown of the documents as HTML: anchors at headings, links to pages instead of files, samples that can be copied. */
import { Marked, Renderer, type Tokens } from 'marked'
import { type Html, html } from './html.ts'
import { sample } from './reference-endpoint.ts'

/** Our own text: raw HTML, of which it has only comments, is left out. */
export const markdownHtml = (markdown: string): Html => ({
  markup: new Marked({ gfm: true, renderer: renderer() }).parse(markdown, { async: false }),
})

/** Samples and tables are numbered, so that each has a name of its own for screen readers. */
function renderer() {
  const plain = new Renderer()
  let [samples, tables] = [0, 0]
  return {
    html: () => '',
    heading(this: Renderer, { depth, text, tokens }: Tokens.Heading): string {
      return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
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
      const table = plain.table(token).replace(/<th( [^>]*)?><\/th>/g, '<td></td>')
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${tables}">${table}</div>\n`
    },
  }
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
