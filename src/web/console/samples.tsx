/** The present request as code: curl, Python, TypeScript. */
import { useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { CopyButton } from './copy.tsx'
import { languages, sampleCode } from './sample-code.ts'
import { useSession } from './session.ts'

const LONGEST = 4_000

interface SamplesProps {
  readonly form: Form
  /** The request; null: it is too long to show. */
  readonly body: object | null
}

/** The key is shown only on request. */
export function Samples({ form, body }: SamplesProps) {
  const session = useSession()
  const [language, setLanguage] = useState('curl')
  const [isWanted, setWanted] = useState(false)
  const isIncluded = isWanted && session.key !== null
  const key = isWanted ? (session.key?.apiKey ?? null) : null
  const text = sampleCode(language, {
    form,
    key,
    origin: location.origin,
    body: body === null || JSON.stringify(body).length > LONGEST ? null : body,
  })
  return (
    <figure class="sample">
      <figcaption>
        <span class="tabs" role="group" aria-label="Language">
          {languages.map((name) => (
            <button
              type="button"
              class="small quiet"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </span>
        <span class="tools">
          <label class="check">
            <input
              type="checkbox"
              checked={isIncluded}
              onChange={(event) => setWanted(event.currentTarget.checked)}
            />{' '}
            include my key
          </label>
          <CopyButton text={() => text} name="Copy the sample" />
        </span>
      </figcaption>
      <pre tabindex={0} role="region" aria-label={`Sample in ${language}`}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
