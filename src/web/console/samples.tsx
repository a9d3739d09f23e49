/** The present request as code: curl, Python, TypeScript. */
import { useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { CopyButton } from './copy.tsx'
import { version } from './offers.ts'
import { fileOf, languages, sampleCode } from './sample-code.ts'
import { saveText } from './save.ts'
import { useSession } from './session.ts'

/** The longest request that the code contains. */
const LONGEST = 600

interface SamplesProps {
  readonly form: Form
  /** The request; null: it is too long to show. */
  readonly body: object | null
  /** The request as JSON, however long; null: the inputs make none yet. */
  readonly whole: (() => Promise<Blob>) | null
  /** That of the table, or null. */
  readonly file: File | null
}

/** The key is shown only on request. */
export function Samples({ form, body, whole, file }: SamplesProps) {
  const session = useSession()
  const [language, setLanguage] = useState('curl')
  const [isWanted, setWanted] = useState(false)
  const isIncluded = isWanted && session.key !== null
  const key = isWanted ? (session.key?.apiKey ?? null) : null
  const isLong = body === null || JSON.stringify(body).length > LONGEST
  const saved = fileOf(language, form)
  const text = sampleCode(language, {
    form,
    key,
    origin: location.origin,
    version,
    body: isLong ? null : body,
    table: file?.name.replaceAll(/\s+/g, ' ') ?? null,
  })
  const save = async () => {
    const body = JSON.parse(await (await whole!()).text())
    saveText(saved.content(body), saved.name, 'application/json')
  }
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
      {(isLong || !isIncluded) && (
        <p class="hint">
          {!isIncluded && (
            <>
              The key is read from <code>QUANTD_API_KEY</code>.{' '}
            </>
          )}
          {isLong && (
            <>
              The request is read from <code>{saved.name}</code>
              {whole === null ? ', which the complete inputs make.' : '. '}
              {whole !== null && (
                <button type="button" class="small quiet" onClick={save}>
                  Save {saved.name}
                </button>
              )}
            </>
          )}
        </p>
      )}
    </figure>
  )
}
