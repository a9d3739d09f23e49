/** Makes the values of a request from the entries of a form. */
import { numberFrom } from './numbers.js'

/** The values to send: an empty field is omitted. */
export function sentValues(fields, texts) {
  return Object.fromEntries(
    fields
      .filter(({ name }) => texts[name].trim() !== '')
      .map(({ name, kind, choices, type }) => {
        const text = texts[name]
        if (kind === 'number') return [name, numberFrom(text, type === 'integer')]
        if (kind === 'choice') return [name, choices.find((choice) => String(choice) === text) ?? text]
        if (kind === 'vector') return [name, jsonFrom(`[${listed(text)}]`)]
        return [name, kind === 'text' ? text : jsonFrom(text)]
      }),
  )
}

export const withDefaults = (fields, sent) =>
  Object.fromEntries(fields.map(({ name, default: fallback }) => [name, sent[name] ?? fallback ?? undefined]))

/** The numbers of a list that commas, spaces or line ends separate; brackets around it are allowed. */
const listed = (text) =>
  text
    .replace(/^\s*\[|\]\s*$/g, '')
    .trim()
    .replace(/\s*[,;\s]\s*/g, ', ')

function jsonFrom(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
