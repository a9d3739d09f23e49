/** The processes that a server consists of, by /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** The ids of a process and of its children. */
export function processTree(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
  return [parent, ...children.map(Number)]
}
