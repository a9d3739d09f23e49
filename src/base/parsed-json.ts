/** Reads JSON that may be none, such as a text that a caller has made or a crash has cut. */

/** The value of a JSON text; undefined: the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
