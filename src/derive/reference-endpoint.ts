/** One endpoint of the reference page: fields, example request and reply, failures. */
import type { Described, Failures } from './described.ts'
import { failureReply } from './failure-page.ts'
import { type Html, html, prose } from './html.ts'
import { innerFields } from './inner-fields.ts'
import { boundsInWords, type JsonSchema, plain, typeInWords } from './rules.ts'
import { indented, ORIGIN, samplesOf } from './samples.ts'

/** Elements of the title and of the headings below it. */
const HEADINGS = { part: ['h3', 'h4'], page: ['h1', 'h2'] } as const

/** An article whose anchor is the operation id: a part of the whole reference, or a page of its own. */
export function referenceEndpoint(one: Described, failures: Failures, as: keyof typeof HEADINGS): Html {
  const [title, heading] = HEADINGS[as]
  const code = samplesOf(one)
  return html`
<article class="endpoint" id="${one.id}">
<div class="endpoint-text">
<${title}><a href="/docs/reference/${one.id}">${one.title}</a></${title}>
<p class="route"><span class="method">${one.method}</span> <code>${breakable(one.path)}</code> ${keyMark(one)}</p>
<p>${prose(one.summary)}</p>
${fieldTable(one.title, heading, 'Query', one.query && plain(one.query))}
${fieldTable(one.title, heading, 'Request', one.input && plain(one.input))}
${resultTables(one.title, heading, plain(one.output))}
${failureList(one, heading, failures)}
</div>
<div class="endpoint-code">
<div class="samples" data-for="${one.title}">
${sample('curl', code.curl, one.title)}
${sample('Python', code.python, one.title)}
${sample('TypeScript', code.typescript, one.title)}
</div>
${sample('Reply', indented({ success: true, ...(one.message === null ? {} : { message: one.message }), data: one.example.output }), one.title)}
${failureExample(one)}
${one.computation ? html`<p><a class="button" href="/#${one.path.replace(/^\/quantlib/, '')}?body=${encodeURIComponent(JSON.stringify(one.example.input))}">Try it</a></p>` : null}
</div>
</article>`
}

/** Lets the browser break a path after its slashes. */
const breakable = (path: string): Html[] =>
  path.split('/').map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`))

const keyMark = ({ key }: Described): Html | null =>
  key === 'none'
    ? html`<span class="mark">no key</span>`
    : key === 'registered'
      ? html`<span class="mark">registered key</span>`
      : null

function fieldTable(of: string, heading: string, title: string, schema: JsonSchema | null): Html | null {
  const fields = Object.entries(schema?.properties ?? {})
  if (fields.length === 0) return null
  const rows = fields.map(([name, field]) => row(name, field, needOf(schema!, name, field)))
  return table(of, heading, title, ['Field', 'Type', 'Required', 'Description'], rows)
}

function needOf(schema: JsonSchema, name: string, field: JsonSchema): Html {
  if (schema.required?.includes(name)) return html`required`
  return field.default === undefined
    ? html`optional`
    : html`default <code>${JSON.stringify(field.default)}</code>`
}

/** `need` null: a field of a reply; its bounds are not shown. */
function row(name: string, field: JsonSchema, need: Html | null): Html {
  const bounds = need === null ? '' : boundsInWords(field)
  return html`<tr>
<th scope="row"><code>${name}</code></th>
<td>${typeInWords(field)}</td>
${need && html`<td>${need}</td>`}
<td>${prose(field.description ?? '')}${bounds === '' ? null : html` <span class="bounds">${bounds}</span>`}</td>
</tr>`
}

const table = (
  of: string,
  heading: string,
  title: string,
  head: readonly string[],
  rows: readonly Html[],
): Html => html`
<${heading}>${title}</${heading}>
<div class="scroll" tabindex="0" role="region" aria-label="${title} of ${of}"><table>
<thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`

/** One table per form of the result. */
function resultTables(of: string, heading: string, schema: JsonSchema): Html[] {
  const shapes = schema.anyOf ?? [schema]
  return shapes.map((shape, index) =>
    table(
      of,
      heading,
      index === 0 ? 'Response data' : `Response data, form ${index + 1}`,
      ['Field', 'Type', 'Description'],
      innerFields(shape).map(({ path, schema }) => row(path, schema, null)),
    ),
  )
}

const failureList = (one: Described, heading: string, failures: Failures): Html | null =>
  one.failures.length === 0
    ? null
    : html`<${heading}>Failures</${heading}><p class="codes">${byStatus(one.failures, failures).map(
        (code) =>
          html`<a href="/docs/reference/errors/${code}"><span>${failures[code].status}</span> <code>${code}</code></a> `,
      )}</p>`

const byStatus = (codes: readonly string[], failures: Failures): string[] =>
  codes.toSorted((a, b) => failures[a].status - failures[b].status)

/** The reply of the first failure that a caller is likely to see. */
function failureExample({ failures, title }: Described): Html | null {
  const code = ['invalid_input', 'invalid_credentials', 'otp_invalid', 'api_key_invalid', 'unavailable'].find(
    (one) => failures.includes(one),
  )
  if (code === undefined) return null
  return html`<details><summary>A failure</summary>${sample('Failure', indented(failureReply(code)), title)}</details>`
}

/** A script of the page replaces the origin with the address of the page. */
export const sample = (language: string, code: string, title: string): Html => html`
<figure class="sample"><figcaption><span>${language}</span></figcaption><pre tabindex="0" role="region" aria-label="${title}: ${language}"><code>${code
  .split(ORIGIN)
  .map(
    (part, index) => html`${index === 0 ? null : html`<span data-origin>${ORIGIN}</span>`}${part}`,
  )}</code></pre></figure>`
