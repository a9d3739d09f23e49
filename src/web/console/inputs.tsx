/** The form of an operation: its fields, the cost of a call, and the button that sends it. */
import type { ComponentChildren } from 'preact'
import type { Form, FormField } from '../../derive/forms.ts'
import { QuietButton } from './buttons.tsx'
import { CopyButton } from './copy.tsx'
import { type Cost, costText } from './cost.ts'
import { isOfAmounts } from './entered.ts'
import { EntryField, isSwitch } from './entry-field.tsx'
import { linkTo } from './link.ts'
import { canBeGuest, guestCredits } from './offers.ts'
import { useSession } from './session.ts'
import type { Answering } from './use-answer.ts'

interface InputsProps {
  readonly form: Form
  readonly fields: readonly FormField[]
  readonly texts: Readonly<Record<string, string>>
  readonly answer: Answering
  /** The messages of faults, by field. */
  readonly errors: Readonly<Record<string, string>>
  setText(name: string): (text: string) => void
  /** The request; null: it is too long to show. */
  readonly body: object | null
  reset(): void
  readonly cost: Cost | null
  /** The reason why it cannot be sent, or null. */
  readonly blocked: string | null
  /** Fields without a value, and what is asked for them. */
  readonly unset: readonly FormField[]
  readonly asked: string
  readonly hasSlider: boolean
  readonly isAnswered: boolean
  readonly children: ComponentChildren
  /** The links to other pages with these inputs. */
  readonly goOn: ComponentChildren
}

/** A call or a put is chosen before all else. */
const first = (a: FormField, b: FormField): number => Number(isSwitch(b)) - Number(isSwitch(a))

export function Inputs(props: InputsProps) {
  const { form, fields, texts, answer, errors, setText, body, reset } = props
  const { cost, blocked, unset, asked, hasSlider, isAnswered, children, goOn } = props
  const { key, credits } = useSession()
  const link = body === null ? null : linkTo(form.path, body)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (key === null && !canBeGuest) location.hash = '#/login'
    else if (answer.progress === null && blocked === null) answer.compute()
  }
  // Each call is charged, so the second click of a double click and the repetitions of a held key send none.
  const once = (event: KeyboardEvent | MouseEvent) => {
    const isHeld =
      event instanceof KeyboardEvent &&
      event.repeat &&
      event.key === 'Enter' &&
      !(event.target instanceof HTMLTextAreaElement)
    if (isHeld || event.detail > 1) event.preventDefault()
  }
  return (
    <form class="inputs" novalidate onSubmit={submit} onKeyDown={once} aria-label="Input">
      {children}
      {fields.toSorted(first).map((described) => (
        <EntryField
          key={described.name}
          field={{
            ...described,
            wire: true,
            required: described.required || unset.includes(described),
            isAmount: isOfAmounts(texts),
          }}
          text={texts[described.name]}
          asked={unset.includes(described) && asked}
          error={errors[described.name]}
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
        <QuietButton onClick={reset}>Reset</QuietButton>
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
      {goOn}
    </form>
  )
}
