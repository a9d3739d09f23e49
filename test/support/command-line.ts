/** The parts that the command lines of the long tests and sweeps share: options, and the tables of their summaries. */
import { randomInt } from 'node:crypto'
import type { Command } from 'commander'
import { wholeNumber } from '../../src/base/text.ts'

/** Thrown for an option value that is not accepted; the message is one line for the person who runs the command. */
export class OptionError extends Error {}

/** @returns the whole number that an option gives. Throws OptionError. */
export function readNumber(option: string, text: string, low: number, high: number): number {
  const value = wholeNumber(text, low, high)
  if (value === null)
    throw new OptionError(`--${option} is "${text}"; it takes a whole number from ${low} to ${high}.`)
  return value
}

/** @returns the seed that was given, or a random one. Throws OptionError. */
export const readSeed = (text: string | undefined): number =>
  text === undefined ? randomInt(1, 2 ** 31) : readNumber('seed', text, 0, 2 ** 31)

export type Row = readonly [name: string, value: string | number]

/** One line per row, with the values in one column. */
export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.map(([name, value]) => `${name.padEnd(width)}${value}`).join('\n')
}

/** The number of replies by status; status 0 stands for no reply. */
export const statusCounts = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'none'}: ${count}`)
    .join(', ')

/** Runs the command; an error ends the process with exit code 1. */
export async function runCommand(command: Command): Promise<void> {
  await command.parseAsync().catch((error) => {
    console.error(error instanceof OptionError ? `${command.name()}: ${error.message}` : error)
    process.exit(1)
  })
}
