/** A text as QR code, dark on light in every scheme, so that cameras read it. */
import { html } from '../html.js'
import { useLoaded } from '../use-loaded.js'

export function QrCode({ text, label }) {
  const made = useLoaded(() => import('./qr-path.js').then(({ qrPath }) => qrPath(text)), [text])
  if (made === null) return html`<p class="hint">Loading …</p>`
  const { path, side } = made
  return html`<svg class="qr" viewBox=${`0 0 ${side} ${side}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect width=${side} height=${side} fill="#fff" /><path d=${path} fill="#000" />
  </svg>`
}
