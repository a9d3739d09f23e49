/** The part of papaparse, which has no types of its own, that the reader of CSV uses. */
declare module 'papaparse' {
  interface Step {
    /** The cells of one row. */
    readonly data: string[]
    readonly errors: readonly { readonly type: string; readonly index: number }[]
    /** `cursor`: the position of the end of the row. */
    readonly meta: { readonly cursor: number }
  }
  interface Parser {
    abort(): void
  }
  interface Options {
    readonly delimiter: string
    readonly newline: string
    readonly step: (step: Step, parser: Parser) => void
  }
  function parse(text: string, options: Options): void
  const Papa: { readonly parse: typeof parse }
  export default Papa
  export type { Parser, Step }
}
