/** A field of an operation's form: a number with its slider and how it was read, or a choice of two as two buttons. */
import { entered } from './entered.ts'
import { type DescribedField, Field } from './field.tsx'
import { labelOf, wordFor } from './labels.ts'
import { sliderOf } from './sliders.ts'

interface EntryFieldProps extends PartProps {
  readonly error: string | undefined
  /** A request to enter something, which is not shown as an error. */
  readonly asked: string | false
  readonly hasSlider: boolean
}

/** Calls and puts are chosen with one click, because no other choice changes as much. */
export const isSwitch = ({ name }: Pick<DescribedField, 'name'>): boolean => name === 'option_type'

export function EntryField({ field, text, error, asked, hasSlider, onText }: EntryFieldProps) {
  const parts = { field, text, onText }
  const common = { described: field, text, error, asked, onText, hasSlider }
  if (isSwitch(field)) return <Field {...common} control={(ids) => <Switch {...parts} ids={ids} />} />
  return (
    <Field {...common}>
      {field.kind === 'number' && <Reading {...parts} />}
      {field.kind === 'number' && hasSlider && <Slider {...parts} />}
    </Field>
  )
}

interface PartProps {
  readonly field: DescribedField
  readonly text: string
  onText(text: string): void
}

/** How the text was read, with the other text that may be meant. */
function Reading({ field, text, onText }: PartProps) {
  const { note, instead } = entered(field, text)
  return (
    <output class="reading" hidden={note === null}>
      {note}{' '}
      {instead !== undefined && (
        <button type="button" class="small quiet" onClick={() => onText(instead)}>
          Use {instead}
        </button>
      )}
    </output>
  )
}

interface SwitchProps {
  readonly field: DescribedField
  readonly text: string
  readonly ids: { readonly label: string; readonly descriptions: string }
  onText(text: string): void
}

/** A choice of two as two buttons. */
const Switch = ({ field: { name, choices = [] }, text, ids, onText }: SwitchProps) => (
  <div class="switch" role="radiogroup" aria-labelledby={ids.label} aria-describedby={ids.descriptions}>
    {choices.map((choice) => (
      <label>
        <input
          type="radio"
          name={name}
          value={String(choice)}
          checked={String(choice) === text}
          onInput={() => onText(String(choice))}
        />
        {wordFor(choice)}
      </label>
    ))}
  </div>
)

/** A slider. Its attributes are texts, because Preact compares them with those of the element before it sets them. */
function Slider({ field, text, onText }: PartProps) {
  const given = entered(field, text).value
  const value = typeof given === 'number' ? given : Number(field.default ?? field.example)
  const slider = sliderOf(field, value)
  if (slider === null) return null
  return (
    <input
      class="slider"
      type="range"
      min="0"
      max={String(slider.steps)}
      step="1"
      aria-label={`${labelOf(field.name)}, slider`}
      aria-valuetext={String(value)}
      value={String(slider.position(value))}
      onInput={(event) => onText(String(slider.value(Number(event.currentTarget.value))))}
    />
  )
}
