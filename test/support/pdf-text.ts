/**
 * Reads pages and text of a PDF file that Chromium has printed: compressed streams, fonts named by their object number, and the
 * Unicode tables of the fonts.
 */
import { inflateSync } from 'node:zlib'

export interface Printed {
  readonly pages: number
  /** The text in the order in which it was drawn, without white space, which a PDF may express as a distance. */
  readonly text: string
  /** Colours of text: red, green and blue from 0 to 1. */
  readonly inks: readonly (readonly number[])[]
}

export function printed(pdf: Buffer): Printed {
  const file = pdf.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id, body]) => [id!, body!]),
  )
  const fonts = new Map<string, ReadonlyMap<string, string>>()
  for (const [id, body] of objects) {
    const table = body.match(/\/ToUnicode (\d+) 0 R/)?.[1]
    if (table !== undefined) fonts.set(id, signsOf(streamOf(objects.get(table)!)))
  }
  const inks = new Set<string>()
  const text = [...objects.values()].map((body) => drawn(streamOf(body), fonts, inks)).join('')
  return {
    pages: [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)).length,
    text: text.normalize('NFKC').replace(/\s/g, ''),
    inks: [...inks].map((ink) => ink.split(' ').map(Number)),
  }
}

function streamOf(body: string): string {
  const [, head, data] = body.match(/^(.*?)stream\n(.*)\nendstream$/s) ?? []
  if (data === undefined || !head?.includes('/FlateDecode') || head.includes('/Subtype /Image')) return ''
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
}

/** The character of each glyph, both in hexadecimal. */
function signsOf(table: string): Map<string, string> {
  const signs = new Map<string, string>()
  const unicode = (hex: string, further: number) => String.fromCodePoint(Number.parseInt(hex, 16) + further)
  for (const [, first, last, sign] of table.matchAll(/<(\w+)> (?:<(\w+)> )?<(\w{4})>\n/g)) {
    const from = Number.parseInt(first!, 16)
    const to = last === undefined ? from : Number.parseInt(last, 16)
    for (let glyph = from; glyph <= to; glyph++)
      signs.set(glyph.toString(16).padStart(first!.length, '0').toUpperCase(), unicode(sign!, glyph - from))
  }
  return signs
}

/** Whether a font is that of the halos around labels, whose glyphs have two digits; those of other fonts have four. */
const isHalo = (font: ReadonlyMap<string, string> | undefined) => font?.keys().next().value?.length === 2

/** Adds the colours of the text to `inks`. */
function drawn(
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<string, string>>,
  inks: Set<string>,
): string {
  let font: ReadonlyMap<string, string> | undefined
  let ink = '0 0 0'
  let text = ''
  const outer: string[] = []
  const signOf = (glyph: string) => font?.get(glyph) ?? ''
  for (const [token, color, id, glyphs] of content.matchAll(
    /([\d.]+ [\d.]+ [\d.]+) rg|\/F(\d+) [\d.]+ Tf|<(\w+)> Tj|\b[qQ]\b/g,
  )) {
    if (token === 'q') outer.push(ink)
    else if (token === 'Q') ink = outer.pop()!
    else if (color !== undefined) ink = color
    else if (id !== undefined) font = fonts.get(id)
    else {
      if (!isHalo(font)) inks.add(ink)
      text += glyphs!.replace(isHalo(font) ? /\w{2}/g : /\w{4}/g, signOf)
    }
  }
  return text
}
