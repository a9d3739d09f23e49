/** The values of a request with the defaults of the fields that are not sent. */
import type { FormField } from '../../derive/forms.ts'
import type { Values } from './operation.ts'

export const withDefaults = (fields: readonly FormField[], sent: Values): Values =>
  Object.fromEntries(fields.map(({ name, default: fallback }) => [name, sent[name] ?? fallback ?? undefined]))
