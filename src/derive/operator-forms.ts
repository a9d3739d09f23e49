/** The forms of the operators' page: one for each act, with the fields of its request. */
import { type FormField, fieldsOf } from './forms.ts'
import type { DeclaredAct } from './operator-openapi.ts'
import { plain } from './rules.ts'

interface ActForm extends NonNullable<DeclaredAct['command']> {
  readonly path: string
  readonly title: string
  readonly summary: string
  /** The least that may do it. */
  readonly role: string
  /** Of `quantd admin`; null: the command line has none. */
  readonly verb: string | null
  readonly fields: readonly FormField[]
}

export const actForms = (acts: readonly DeclaredAct[]): ActForm[] =>
  acts
    .filter(({ input }) => input !== null)
    .map(({ command, example, input, path, role, summary, title, verb }) => {
      const fields = fieldsOf(plain(input!), (example.input ?? {}) as Record<string, unknown>)
      const { flags, words } = command ?? {}
      const names = { ...(words && { words }), ...(flags && { flags }) }
      return { path, title, summary, role, verb, ...names, fields }
    })
