/** The progress of a task of a page. A screen reader announces each phase, but not each step. */
import { html } from './html.js'

export function Progress({ phase, share }) {
  const percent = share === null || share === undefined ? null : Math.round(100 * share)
  return html`<p class="progress"><span><span role="status">${phase}</span>${percent === null ? ' …' : ` ${percent} %`}</span>
    <progress max="100" value=${percent ?? undefined} aria-label=${phase}></progress></p>`
}
