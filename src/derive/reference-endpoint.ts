/** One endpoint of the reference: its text beside its samples. */

import { type Html, html } from '../html.ts'
import type { Described, Failures } from './described.ts'
import { failureReply } from './failure-page.ts'
import { endpointText, exampleReply } from './markdown.ts'
import { markdownHtml, sample } from './markdown-html.ts'
import { indented, samplesOf } from './samples.ts'

export function referenceEndpoint(one: Described, failures: Failures): Html {
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
