/** One labelled field: its label, its name in JSON, the control, a slider under numbers, and the error message. */
import type { TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import type { FormField } from '../../derive/forms.ts'
import { labelOf, wordFor } from './labels.ts'
import { numberFrom } from './numbers.ts'
import { sliderOf } from './sliders.ts'

/** A field of forms.js, or another one; `kind` is then that of a field, or the type of an element <input>. */
export interface DescribedField extends Partial<Omit<FormField, 'kind'>> {
  readonly name: string
  readonly kind: string
  readonly label?: string
  readonly unit?: string
  readonly autocomplete?: string
  readonly inputmode?: 'numeric' | 'decimal'
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
}

export function Field({ described, text, error, asked, onText, hasSlider = false }: FieldProps) {
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
  const common = {
    id,
    name,
    autocomplete: described.autocomplete ?? 'off',
    spellcheck: false,
    'aria-describedby': `${id}-hint ${id}-error`,
    'aria-required': isRequired ? ('true' as const) : undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onText(event.currentTarget.value),
  }
  const isNumber = kind === 'number'
  return (
    <div class={`field ${hasSlider && isNumber ? 'turned' : ''}`}>
      <label for={id}>
        {label}
        {described.wire && <code class="wire">{name}</code>}
        {required === false && <span class="optional">optional</span>}
      </label>
      {kind === 'choice' ? (
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
      ) : kind === 'json' || kind === 'vector' ? (
        <textarea {...common} rows={kind === 'json' ? 12 : 3} value={text} />
      ) : (
        <input
          {...common}
          type={(isNumber ? 'text' : kind) as 'text'}
          inputmode={isNumber ? 'decimal' : described.inputmode}
          placeholder={fallback === null || fallback === undefined ? undefined : String(fallback)}
          value={text}
        />
      )}
      {hasSlider && isNumber && <Slider described={described} label={label} text={text} onText={onText} />}
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

interface SliderProps extends Pick<FieldProps, 'described' | 'text' | 'onText'> {
  readonly label: string
}

/** A slider. Its attributes are texts, because Preact compares them with those of the element before it sets them. */
function Slider({ described, label, text, onText }: SliderProps) {
  const entered = numberFrom(text)
  const value = typeof entered === 'number' ? entered : Number(described.default ?? described.example)
  const slider = sliderOf(described, value)
  if (slider === null) return null
  return (
    <input
      class="slider"
      type="range"
      min="0"
      max={String(slider.steps)}
      step="1"
      aria-label={`${label}, slider`}
      aria-valuetext={String(value)}
      value={String(slider.position(value))}
      onInput={(event) => onText(String(slider.value(Number(event.currentTarget.value))))}
    />
  )
}
