/** The form of an operation: its fields, the cost of a call, and the button that sends it. */
// @ts-nocheck: to be converted
import { CopyButton } from './copy.tsx'
import { costText } from './cost.ts'
import { Field } from './field.tsx'
import { linkTo } from './link.ts'
import { canBeGuest, guestCredits } from './offers.ts'
import { useSession } from './session.ts'

/**
 * `body`: the request, or null if it is too long to show; `children`: the table; `blocked`: the reason why it cannot be sent, or
 * null; `unset`: fields without a value.
 */
export function Inputs({
  form,
  fields,
  texts,
  answer,
  setText,
  body,
  reset,
  cost,
  blocked,
  unset,
  hasSlider,
  isAnswered,
  children,
}) {
  const { key, credits } = useSession()
  const link = body === null ? null : linkTo(form.path, body)
  const submit = (event) => {
    event.preventDefault()
    if (key === null && !canBeGuest) location.hash = '#/login'
    else if (answer.progress === null && blocked === null) answer.compute()
  }
  // Each call is charged, so the second click of a double click and the repetitions of a held key send none.
  const once = (event) => {
    const isHeld = event.repeat && event.key === 'Enter' && event.target.tagName !== 'TEXTAREA'
    if (isHeld || event.detail > 1) event.preventDefault()
  }
  return (
    <form class="inputs" novalidate onSubmit={submit} onKeyDown={once} aria-label="Input">
      {children}
      {fields.map((described) => (
        <Field
          key={described.name}
          described={{ ...described, wire: true }}
          text={texts[described.name]}
          asked={unset.includes(described) && 'Choose a column above, or enter one value for all rows.'}
          error={answer.fieldErrors[described.name]}
          onText={setText(described.name)}
          hasSlider={hasSlider}
        />
      ))}
      <div class="actions">
        <button
          type="submit"
          onClick={once}
          aria-disabled={answer.progress !== null || blocked !== null ? 'true' : undefined}
          aria-describedby="blocked"
        >
          {key !== null ? 'Compute' : canBeGuest ? 'Compute with a new guest key' : 'Log in to compute'}
        </button>
        <button type="button" class="quiet" onClick={reset}>
          Reset
        </button>
        {link !== null && <CopyButton text={() => link} label="Copy link" name="Copy link to these inputs" />}
        <p class="blocked" id="blocked" hidden={blocked === null}>
          {blocked}
        </p>
        {cost !== null && blocked === null && (
          <p class={credits !== null && cost.most > credits && !isAnswered ? 'hint cost error' : 'hint cost'}>
            {costText(cost, credits)}
          </p>
        )}
      </div>
      {key === null && (
        <p class="hint">
          {canBeGuest ? (
            <>
              A guest key needs no e-mail address and holds {guestCredits}. <a href="#/login">I have a key</a>
            </>
          ) : (
            'Previews are free; an answer of the service needs a key.'
          )}
        </p>
      )}
    </form>
  )
}
