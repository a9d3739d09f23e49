/** A text as QR code. */
import encodeQR from 'qr'
import { html, useMemo } from '../html.js'

/** Quiet zone of four modules, as ISO/IEC 18004 asks for; dark on light in every scheme, so that cameras read it. */
const QUIET = 4

export function QrCode({ text, label }) {
  const [path, side] = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: QUIET })
    const squares = rows.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return [squares.join(''), rows.length]
  }, [text])
  return html`<svg class="qr" viewBox=${`0 0 ${side} ${side}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect width=${side} height=${side} fill="#fff" /><path d=${path} fill="#000" />
  </svg>`
}
