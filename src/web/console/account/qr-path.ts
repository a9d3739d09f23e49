/** The squares of a QR code. This module, with its encoder, is loaded when it is first needed. */
import encodeQR from 'qr'

/** Quiet zone of four modules, as ISO/IEC 18004 asks for. */
const QUIET = 4

/** The path of an SVG and its side, one unit a module. */
export function qrPath(text: string): { readonly path: string; readonly side: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: squares.join(''), side: rows.length }
}
