/** A program that uses an installed library, to be run in one of the runtimes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Program {
  /** The library: the client, or the numerics. */
  readonly library: string
  /** A project with the library in node_modules. */
  readonly folder: string
  /** JavaScript. */
  readonly code: string
  /** A free port; the service, if the program uses it, allows its origin on 127.0.0.1. */
  readonly port: number
}

/** The path of the module that a library exports, from the project. */
export function entryOf(folder: string, library: string): string {
  const installed = join('node_modules', library)
  const { exports } = JSON.parse(readFileSync(join(folder, installed, 'package.json'), 'utf8'))
  return join(installed, exports['.'].default)
}
