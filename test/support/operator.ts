/** Runs commands of an operator in this process, on the database of a test service. */
import { CommanderError } from 'commander'
import { quantdProgram } from '../../src/app/cli/program.ts'
import type { Terminal } from '../../src/app/cli/terminal.ts'
import type { DatabasePlace } from './database.ts'
import { TEST_MASTER_KEY } from './service.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  readonly json: any
}

export interface Surroundings {
  readonly input?: string
  /** The person's answer to a question; without it, the command has no terminal on which to ask. */
  readonly answer?: string
}

export type Quantd = (args: readonly string[], surroundings?: Surroundings) => Promise<Ran>

export type Settings = Readonly<Record<string, string>>

/** The settings of the service, as the command line needs them. */
export const settingsOf = (service: DatabasePlace): Settings => ({
  QUANTD_DATA_DIR: service.dataDir,
  QUANTD_MASTER_KEY: TEST_MASTER_KEY,
  ...(service.databaseUrl !== null && { DATABASE_URL: service.databaseUrl }),
})

export const operator =
  (environment: Settings): Quantd =>
  async (args, { answer, input = '' } = {}) => {
    const out: string[] = []
    const err: string[] = []
    let code = 0
    const terminal: Terminal = {
      program: 'quantd',
      environment,
      interactive: answer !== undefined,
      write: async (text) => {
        out.push(text)
      },
      tell: (line) => err.push(`${line}\n`),
      ask: async (question) => {
        err.push(question)
        return answer!
      },
      input: async () => input,
      exitWith: (given) => {
        code = given
      },
    }
    try {
      await (await quantdProgram(terminal, args)).parseAsync(args, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      code = error.exitCode === 0 ? 0 : 2
    }
    const text = out.join('')
    return { code, out: text, err: err.join(''), json: parsed(text) }
  }

/** One JSON text, or the lines of NDJSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    } catch {
      return null
    }
  }
}
