/** The squares of a QR code. This module, with its encoder, is loaded when it is first needed. */
// @ts-nocheck: to be converted
import encodeQR from 'qr'

/** Quiet zone of four modules, as ISO/IEC 18004 asks for. */
const QUIET = 4

/** `{ path, side }`: of an SVG, one unit a module. */
export function qrPath(text) {
  const rows = encodeQR(text, 'raw', { border: QUIET })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: squares.join(''), side: rows.length }
}
