/** The present request as code: curl, Python, TypeScript. */
import { CopyButton } from './copy.js'
import { html, useState } from './html.js'
import { snakeCase } from './labels.js'
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
  Python: ({ form, key, body }) =>
    `${key ? '' : 'import os\n'}${body ? '' : 'import json\n'}from quantd import Client\n\nquantd = Client(${JSON.stringify(location.origin)}, ${key ? JSON.stringify(key) : 'os.environ["QUANTD_API_KEY"]'})\nprint(quantd.${snakeCase(form.id)}(${body ? pythonArguments(body) : '**json.load(open("body.json"))'}))`,
  TypeScript: ({ form, key, body }) =>
    `import { createClient } from 'quantd-client'\n${body ? '' : "import { readFile } from 'node:fs/promises'\n"}\nconst quantd = createClient({ baseUrl: '${location.origin}', apiKey: ${key ? `'${key}'` : 'process.env.QUANTD_API_KEY'} })\nconsole.log(await quantd.${form.id}(${body ? JSON.stringify(body).replace(/"([A-Za-z_]\w*)":/g, ' $1: ') : "JSON.parse(await readFile('body.json', 'utf8'))"}))`,
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
