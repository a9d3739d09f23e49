/** One labelled field: its label, its name in JSON, the control, and the error message. */
import type { ComponentChildren, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import type { FormField } from '../../derive/forms.ts'
import { labelOf, wordFor } from './labels.ts'

/** A field of forms.js, or another one; `kind` is then that of a field, or the type of an element <input>. */
export interface DescribedField extends Partial<Omit<FormField, 'kind'>> {
  readonly name: string
  readonly kind: string
  readonly label?: string
  readonly unit?: string
  readonly autocomplete?: string
  readonly inputmode?: 'numeric' | 'decimal'
  /** Whether a volatility is an amount, not a rate (entered.ts). */
  readonly isAmount?: boolean
  /** Whether the name of the field in JSON is shown. */
  readonly wire?: boolean
}

interface FieldProps {
  readonly described: DescribedField
  /** The present entry. */
  readonly text: string
  readonly error?: string | undefined
  /** A request to enter something, which is not shown as an error. */
  readonly asked?: string | false | undefined
  onText(text: string): void
  readonly hasSlider?: boolean
  /** Below the control. */
  readonly children?: ComponentChildren
  /** A group of controls with this label and these descriptions, in place of one control. */
  control?(ids: { readonly label: string; readonly descriptions: string }): ComponentChildren
}

export function Field(props: FieldProps) {
  const { described, text, error, asked, onText, hasSlider = false, children, control } = props
  const id = useId()
  const {
    name,
    kind,
    label = labelOf(name),
    required,
    description = '',
    bounds = '',
    default: fallback,
  } = described
  const rules = [
    bounds,
    fallback !== null && fallback !== undefined && String(fallback) !== '' && kind !== 'choice'
      ? `default ${fallback}`
      : '',
  ]
  const isRequired = required && kind !== 'choice'
  const descriptions = `${id}-hint ${id}-error`
  const common = {
    id,
    name,
    autocomplete: described.autocomplete ?? 'off',
    spellcheck: false,
    'aria-describedby': descriptions,
    'aria-required': isRequired ? ('true' as const) : undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onText(event.currentTarget.value),
  }
  const isNumber = kind === 'number'
  const title = (
    <>
      {label}
      {described.wire && <code class="wire">{name}</code>}
      {required === false && <span class="optional">optional</span>}
    </>
  )
  return (
    <div class={`field ${hasSlider && isNumber ? 'turned' : ''}`}>
      {control ? (
        <p class="label" id={id}>
          {title}
        </p>
      ) : (
        <label for={id}>{title}</label>
      )}
      {control ? (
        control({ label: id, descriptions })
      ) : kind === 'choice' ? (
        <select {...common} value={text}>
          {text === '' && (
            <option value="" selected>
              choose …
            </option>
          )}
          {(described.choices ?? []).map((choice) => (
            <option value={String(choice)} selected={String(choice) === text}>
              {wordFor(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'json' || kind === 'vector' || kind === 'texts' ? (
        <textarea {...common} rows={kind === 'json' ? 12 : 3} value={text} />
      ) : (
        <input
          {...common}
          type={(isNumber || kind === 'either' ? 'text' : kind) as 'text'}
          inputmode={isNumber ? 'decimal' : described.inputmode}
          placeholder={fallback === null || fallback === undefined ? undefined : String(fallback)}
          value={text}
        />
      )}
      {children}
      <p class={error ? 'error' : 'asked'} id={`${id}-error`} hidden={!error && !asked}>
        {error || asked}
      </p>
      <p class="hint" id={`${id}-hint`}>
        {described.unit ?? description}{' '}
        {rules
          .filter((rule) => rule)
          .map((rule) => (
            <>
              <span class="bounds">{rule}</span>{' '}
            </>
          ))}
      </p>
    </div>
  )
}
