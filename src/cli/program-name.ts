/** The command that starts this program here, as help and messages show it. */
import { basename, relative } from 'node:path'

/** Our launcher passes it as argv[0], where otherwise the path of Node stands. */
export function programName(): string {
  const [, script] = process.argv
  const isLaunched = !/^node(js)?(\.exe)?$/.test(basename(process.argv0))
  return isLaunched ? process.argv0 : `node ${relative('', script!)}`
}
