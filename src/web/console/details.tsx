/** The whole answer: every value with all digits, matrices as tables, and the reply as JSON. */
import { CopyButton } from './copy.tsx'
import { short } from './numbers.ts'
import type { MatrixShown, Operation } from './operation.ts'
import { csv, saveText } from './save.ts'
import type { Answering } from './use-answer.ts'

const LONGEST = 20_000

interface DetailsProps {
  readonly operation: Operation
  readonly answer: Answering
}

export function Details({ operation, answer }: DetailsProps) {
  const { reply, shown, isFresh } = answer
  if (shown === null || !reply?.success) return null
  const { table } = shown
  return (
    <section class={`details ${isFresh ? '' : 'stale'}`} aria-label="Details of the answer">
      {operation.matrices?.(reply.data, table).map((matrix) => (
        <MatrixTable {...matrix} />
      ))}
      {operation.Result && <operation.Result data={reply.data} />}
      <details>
        <summary>Reply as JSON</summary>
        {reply.text === undefined || reply.text.length > LONGEST ? (
          <p class="hint">The reply is long: save it as JSON above.</p>
        ) : (
          <Json text={reply.text} />
        )}
      </details>
    </section>
  )
}

function Json({ text }: { readonly text: string }) {
  const indented = JSON.stringify(JSON.parse(text), null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
  )
  return (
    <figure class="sample">
      <figcaption>
        Reply{' '}
        <span class="tools">
          <CopyButton text={() => text} name="Copy the reply" />
        </span>
      </figcaption>
      <pre tabindex={0} role="region" aria-label="Reply as JSON">
        <code>{indented}</code>
      </pre>
    </figure>
  )
}

function MatrixTable({ title, rows, names }: MatrixShown) {
  const text = () => csv([['', ...names], ...rows.map((row, i) => [names[i], ...row])])
  return (
    <div>
      <div class="heading">
        <h3>{title}</h3>
        <span class="tools">
          <button
            type="button"
            class="small quiet"
            aria-label={`Save “${title}” as CSV`}
            onClick={() => saveText(text(), `${title}.csv`, 'text/csv')}
          >
            CSV
          </button>
        </span>
      </div>
      <div class="scroll data" tabindex={0} role="region" aria-label={`Table: ${title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">From ↓ To →</th>
              {names.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr>
                <th scope="row">{names[i]}</th>
                {row.map((value) => (
                  <td>{short(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
