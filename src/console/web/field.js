/** One labelled field: its label, its name in JSON, the control, a slider under numbers, and the error message. */
import { html, useId } from './html.js'
import { labelOf, wordFor } from './labels.js'
import { numberFrom } from './numbers.js'
import { sliderOf } from './sliders.js'

/**
 * `described`: a field of forms.js, or `{ name, kind, label, autocomplete, … }`; `text`: the present entry; `asked`: a request to
 * enter something, which is not shown as an error.
 */
export function Field({ described, text, error, asked, onText, hasSlider = false }) {
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
  const common = {
    id,
    name,
    autocomplete: described.autocomplete ?? 'off',
    spellcheck: false,
    'aria-describedby': `${id}-hint ${id}-error`,
    'aria-required': required && kind !== 'choice' ? 'true' : undefined,
    'aria-invalid': error ? 'true' : undefined,
    onInput: (event) => onText(event.currentTarget.value),
  }
  const isNumber = kind === 'number'
  return html`<div class=${`field ${hasSlider && isNumber ? 'turned' : ''}`}>
    <label for=${id}>${label}${described.wire && html`<code class="wire">${name}</code>`}${required === false && html`<span class="optional">optional</span>`}</label>
    ${
      kind === 'choice'
        ? html`<select ...${common} value=${text}>${text === '' && html`<option value="" selected>choose …</option>`}${described.choices.map((choice) => html`<option value=${String(choice)} selected=${String(choice) === text}>${wordFor(choice)}</option>`)}</select>`
        : kind === 'json' || kind === 'vector'
          ? html`<textarea ...${common} rows=${kind === 'json' ? '12' : '3'} value=${text}></textarea>`
          : html`<input ...${common} type=${isNumber ? 'text' : kind} inputmode=${isNumber ? 'decimal' : described.inputmode}
            placeholder=${fallback === null || fallback === undefined ? undefined : String(fallback)} value=${text} />`
    }
    ${hasSlider && isNumber && html`<${Slider} described=${described} label=${label} text=${text} onText=${onText} />`}
    <p class=${error ? 'error' : 'asked'} id=${`${id}-error`} hidden=${!error && !asked}>${error || asked}</p>
    <p class="hint" id=${`${id}-hint`}>${described.unit ?? description} ${rules.filter((rule) => rule).map((rule) => html`<span class="bounds">${rule}</span> `)}</p>
  </div>`
}

/** A slider. Its attributes are texts, because Preact compares them with those of the element before it sets them. */
function Slider({ described, label, text, onText }) {
  const entered = numberFrom(text)
  const value = typeof entered === 'number' ? entered : (described.default ?? described.example)
  const slider = sliderOf(described, value)
  if (slider === null) return null
  return html`<input class="slider" type="range" min="0" max=${String(slider.steps)} step="1" aria-label=${`${label}, slider`}
    aria-valuetext=${String(value)} value=${String(slider.position(value))}
    onInput=${(event) => onText(String(slider.value(Number(event.currentTarget.value))))} />`
}
