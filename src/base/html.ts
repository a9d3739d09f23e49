/** HTML templates that escape every inserted string. */
export interface Html {
  readonly markup: string
}

type Inserted = Html | string | number | null | readonly Inserted[]

/** html`<p>${text}</p>`: strings are escaped, Html and lists of Html are inserted as they are, null inserts nothing. */
export const html = (literals: TemplateStringsArray, ...inserted: readonly Inserted[]): Html => ({
  markup: literals.reduce((before, literal, index) => before + markup(inserted[index - 1] ?? null) + literal),
})

function markup(one: Inserted): string {
  if (one === null) return ''
  if (typeof one === 'string' || typeof one === 'number') return escaped(String(one))
  return 'markup' in one ? one.markup : one.map(markup).join('')
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
