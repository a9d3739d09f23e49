/** The present request as code: curl, Python, TypeScript. */
import { CopyButton } from './copy.js'
import { html, useState } from './html.js'
import { useSession } from './session.js'

const LONGEST = 4_000
const languages = ['curl', 'Python', 'TypeScript']

/** `body`: the request as an object, or null where it is too long to show. The key is a guest's by default, a permanent one only if wanted. */
export function Samples({ form, body }) {
  const session = useSession()
  const [language, setLanguage] = useState('curl')
  const [wanted, setWanted] = useState(null)
  const isIncluded = (wanted ?? session.isGuest) && session.key !== null
  const key = isIncluded ? session.key.apiKey : null
  const text = makers[language]({
    form,
    key,
    body: body === null || JSON.stringify(body).length > LONGEST ? null : body,
  })
  return html`<figure class="sample">
    <figcaption>
      <span class="tabs" role="group" aria-label="Language">${languages.map(
        (name) =>
          html`<button type="button" class="small quiet" aria-pressed=${name === language} onClick=${() => setLanguage(name)}>${name}</button>`,
      )}</span>
      <span class="tools">
        <label class="check"><input type="checkbox" checked=${isIncluded} onChange=${(event) => setWanted(event.currentTarget.checked)} /> include my key</label>
        <${CopyButton} text=${() => text} name="Copy the sample" />
      </span>
    </figcaption>
    <pre tabindex="0" role="region" aria-label=${`Sample in ${language}`}><code>${text}</code></pre>
  </figure>`
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

const makers = {
  curl: ({ form, key, body }) =>
    `curl -sS ${location.origin}${form.path} \\\n  -H ${key ? `'X-API-Key: ${key}'` : '"X-API-Key: $QUANTD_API_KEY"'} \\\n  -H 'Content-Type: application/json' \\\n  -d ${body ? quoted(JSON.stringify(body)) : '@body.json'}`,
  Python: ({ form, key, body }) => pythonCall(form, key, body),
  TypeScript: ({ form, key, body }) =>
    `import { createClient } from 'quantd-client'\n${body ? '' : "import { readFile } from 'node:fs/promises'\n"}\nconst quantd = createClient({ baseUrl: '${location.origin}', apiKey: ${key ? `'${key}'` : 'process.env.QUANTD_API_KEY'} })\nconsole.log(await quantd.${form.id}(${body ? JSON.stringify(body).replace(/"([A-Za-z_]\w*)":/g, ' $1: ') : "JSON.parse(await readFile('body.json', 'utf8'))"}))`,
}

const pythonKey = (key) => (key ? JSON.stringify(key) : 'os.environ["QUANTD_API_KEY"]')

/** By the client. */
function pythonCall(form, key, body) {
  const given = body?.columns ?? body
  const values = given === null ? '**json.load(open("body.json"))' : pythonArguments(given)
  const imports = [!key && 'import os', given === null && 'import json', 'import quantd'].filter(
    (line) => line,
  )
  return `${imports.join('\n')}\n\nclient = quantd.Client(${JSON.stringify(location.origin)}, ${pythonKey(key)})\nprint(client.${form.python}(${values}))`
}

const pythonArguments = (body) =>
  Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${pythonLiteral(value)}`)
    .join(', ')

const pythonLiteral = (value) =>
  JSON.stringify(value)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None')
