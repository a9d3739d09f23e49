/** The command that the page shows for an act is one that the command line takes. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import type { Command } from 'commander'
import { quantdProgram } from '../../../src/app/cli/program.ts'
import type { Terminal } from '../../../src/app/cli/terminal.ts'
import { actForms } from '../../../src/derive/forms.ts'
import { operatorEndpoints } from '../../../src/operators/http/endpoints.ts'

const { commandOf } = await import(new URL('../../../src/web/operators/command.ts', import.meta.url).href)

/** Parses a command line as `quantd` does, without running it; returns the words that were taken for arguments. */
async function taken(line: string): Promise<string[]> {
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`])
    .toString()
    .split('\0')
    .slice(1, -1)
  const program = await quantdProgram({ program: 'quantd' } as Terminal, words)
  let found: string[] = []
  const quiet = (command: Command): void => {
    if (command.commands.length === 0)
      command.action(() => {
        found = command.args
      })
    command.commands.forEach(quiet)
  }
  quiet(program)
  await program.parseAsync(words, { from: 'user' })
  return found
}

describe('the command of an act', () => {
  for (const form of actForms(operatorEndpoints)) {
    if (form.verb === null) continue
    const { example } = operatorEndpoints.find(({ path }) => path === form.path)!
    it(`${form.verb} is taken`, async () => {
      await taken(commandOf(form, { ...example.input, reason: 'not given' }))
    })
  }

  it('keeps every character of a value', async () => {
    const grant = actForms(operatorEndpoints).find(({ verb }) => verb === 'grant')!
    const values = {
      account: "o'hara@example.org",
      credits: 5,
      reference: '$(id) `id` "x" -y',
      note: '--json',
    }
    const line = commandOf(grant, values)
    assert.deepEqual(await taken(line), ["o'hara@example.org", '5'])
    assert.ok(line.includes(`'$(id) \`id\` "x" -y'`))
  })
})
