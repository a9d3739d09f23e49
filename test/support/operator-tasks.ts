/** The tasks in the operators' guide, which lists them as they are done on the page, by commands, and by requests. */
import { readFileSync } from 'node:fs'

export interface OperatorTask {
  readonly name: string
  /** Verbs of `quantd admin`, and `backup`. */
  readonly verbs: readonly string[]
  /** Paths of the interface, without a query. */
  readonly paths: readonly string[]
}

const ROW = /^\| (.+?) \| .+ \| (–|`.*`) \| (`(?:GET|POST) ….*`) \|$/

export const operatorTasks: readonly OperatorTask[] = readFileSync('docs/how-to/operate-over-http.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, name, commands, requests] = ROW.exec(line) ?? []
    if (name === undefined) return []
    return {
      name,
      verbs: [...commands!.matchAll(/`(?:quantd admin )?([a-z- ]+?)(?: --[^`]*)?`/g)].map(
        ([, verb]) => verb!,
      ),
      paths: [...requests!.matchAll(/…(\/[a-z/-]+)/g)].map(([, path]) => `/operator/v1${path}`),
    }
  })
