/** One endpoint of the reference page: fields, example request and reply, failures. */
import { type Described, type Failures, operationId } from './described.ts'
import { type Html, html, prose } from './html.ts'
import { boundsInWords, type JsonSchema, plain, typeInWords } from './rules.ts'

/** An article whose anchor is the operation id. */
export const referenceEndpoint = (one: Described, failures: Failures): Html => html`
<article class="endpoint" id="${one.id}">
<div class="endpoint-text">
<h3><a href="#${one.id}">${one.title}</a></h3>
<p class="route"><span class="method">${one.method}</span> <code>${breakable(one.path)}</code> ${keyMark(one)}</p>
<p>${prose(one.summary)}</p>
${fieldTable('Query', one.query && plain(one.query))}
${fieldTable('Request', one.input && plain(one.input))}
${resultTables(plain(one.output))}
${failureList(one, failures)}
</div>
<div class="endpoint-code">
${sample('curl', curl(one))}
${sample('TypeScript', typescript(one))}
${sample('Reply', html`${json({ success: true, ...(one.message === null ? {} : { message: one.message }), data: one.example.output })}`)}
</div>
</article>`

/** Lets the browser break a path after its slashes. */
const breakable = (path: string): Html[] =>
  path.split('/').map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`))

const keyMark = ({ key }: Described): Html | null =>
  key === 'none'
    ? html`<span class="mark">no key</span>`
    : key === 'registered'
      ? html`<span class="mark">registered key</span>`
      : null

function fieldTable(title: string, schema: JsonSchema | null): Html | null {
  const fields = Object.entries(schema?.properties ?? {})
  if (fields.length === 0) return null
  const rows = fields.map(([name, field]) => row(name, field, needOf(schema!, name, field)))
  return table(title, ['Field', 'Type', 'Required', 'Description'], rows)
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

const table = (title: string, head: readonly string[], rows: readonly Html[]): Html => html`
<h4>${title}</h4>
<div class="scroll"><table>
<thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`

/** One table per form of the result. */
function resultTables(schema: JsonSchema): Html[] {
  const shapes = schema.anyOf ?? [schema]
  return shapes.map((shape, index) =>
    table(
      index === 0 ? 'Response data' : 'or',
      ['Field', 'Type', 'Description'],
      flattened(shape, '').map(([name, field]) => row(name, field, null)),
    ),
  )
}

/** Fields of inner objects by their path: `user.email`, `items[].at`. */
function flattened(schema: JsonSchema, prefix: string): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, JsonSchema][] => {
    const path = prefix + name
    const entry: [string, JsonSchema] = [path, field]
    if (field.type === 'object') return [entry, ...flattened(field, `${path}.`)]
    if (field.items?.type === 'object') return [entry, ...flattened(field.items, `${path}[].`)]
    return [entry]
  })
}

const failureList = (one: Described, failures: Failures): Html | null =>
  one.failures.length === 0
    ? null
    : html`<h4>Failures</h4><p class="codes">${byStatus(one.failures, failures).map(
        (code) =>
          html`<a href="#error-${code}"><span>${failures[code]!.status}</span> <code>${code}</code></a> `,
      )}</p>`

const byStatus = (codes: readonly string[], failures: Failures): string[] =>
  codes.toSorted((a, b) => failures[a]!.status - failures[b]!.status)

const sample = (title: string, code: Html): Html => html`
<figure class="sample"><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`

/** A script of the page replaces the origin with the address of the page. */
function curl({ method, path, key, input, example }: Described): Html {
  const parts = [
    html`curl -sS ${method === 'POST' && input === null ? '-X POST ' : ''}<span data-origin>http://127.0.0.1:8080</span>${path}`,
    ...(key === 'none' ? [] : [html`-H "X-API-Key: $QUANTD_API_KEY"`]),
    ...(input === null
      ? []
      : [
          html`-H 'Content-Type: application/json'`,
          html`-d '${JSON.stringify(example.input).replaceAll("'", "'\\''")}'`,
        ]),
  ]
  return html`${parts.map((part, index) => html`${index === 0 ? '' : ' \\\n  '}${part}`)}`
}

function typescript({ id, example, output, path }: Described): Html {
  if (path.endsWith('/columns')) {
    const { columns } = example.input as { readonly columns: object }
    const method = operationId(path.replace(/\/columns$/, ''))
    return html`const { columns, errors } = await quantd.columns('${method}', ${literal(columns)})`
  }
  if (path.endsWith('/batch')) {
    const { calls } = example.input as { readonly calls: readonly { body: object; path: string }[] }
    const typed = calls.map(({ body, path }) => ({ method: operationId(path), input: body }))
    return html`const results = await quantd.batch(${literal(typed)})`
  }
  const given =
    example.input === null || Object.keys(example.input).length === 0 ? '' : literal(example.input)
  const names = Object.keys(plain(output).properties ?? {})
  const result = names.length > 0 && names.length < 4 ? `{ ${names.join(', ')} }` : 'result'
  return html`const ${result} = await quantd.${id}(${given})`
}

/** JSON in TypeScript notation: field names without quotes. */
const literal = (value: object): string => json(value).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')

/** Indented, with innermost lists of plain values on one line. */
const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
  )
