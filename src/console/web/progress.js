/** The progress of a task of a page. */
import { html } from './html.js'

export function Progress({ phase, share }) {
  const percent = share === null || share === undefined ? null : Math.round(100 * share)
  return html`<p class="progress" role="status"><span>${phase}${percent === null ? ' …' : ` ${percent} %`}</span>
    <progress max="100" value=${percent ?? undefined} aria-label=${phase}></progress></p>`
}
