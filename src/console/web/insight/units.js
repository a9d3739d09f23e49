/** The choice of units, for all numbers of the console. */
import { choices, choicesFor, chooseUnit, unitsChosen } from '../greek-units.js'
import { html } from '../html.js'

export function Units({ names }) {
  const offered = choicesFor(names)
  if (offered.length === 0) return null
  const chosen = unitsChosen()
  return html`<div class="units">
    ${offered.map(
      (
        choice,
      ) => html`<p class="choice" role="group" aria-label=${`Unit of ${choices[choice].label}`}>${choices[choice].label}
        ${Object.entries(choices[choice].options).map(([option, { unit }]) => html`<button type="button" class="small quiet" aria-pressed=${chosen[choice] === option} onClick=${() => chooseUnit(choice, option)}>${unit}</button>`)}</p>`,
    )}
    <p class="hint">On all pages, pictures and CSV files of this browser. Replies of the service stay per 1.00 and per year.</p>
  </div>`
}
