/** HTML templates that escape every inserted string. */

export interface Html {
  readonly markup: string
}

type Part = Html | string | number | null | readonly Part[]

/** html`<p>${text}</p>`: strings are escaped, Html and lists of Html are inserted as they are, null inserts nothing. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: literals.reduce((before, literal, index) => before + markup(parts[index - 1] ?? null) + literal),
})

function markup(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(markup).join('')
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Plain text in which `backticks` mark code. */
export const prose = (text: string): Html[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
