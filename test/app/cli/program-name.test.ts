/** Help and messages show the command that works where it is typed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { programName } from '../../../scripts/program-name.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const folder = temporaryFolder('name')

const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
const helpOf = (command: string, args: readonly string[], cwd: string, path = PATH) =>
  execFileSync(command, [...args, 'admin', 'show', '--help'], { cwd, encoding: 'utf8', env: { PATH: path } })

describe('the command in help', () => {
  it('is `node bin/quantd.js` in a checkout', () => {
    const help = helpOf('node', ['bin/quantd.js'], root)
    assert.match(help, /^Usage: node bin\/quantd\.js admin show /)
    assert.match(help, /\n {2}node bin\/quantd\.js admin show 17 --json\n/)
  })

  it('holds the whole path where the current folder is another, in quotation marks if a shell would divide it', () => {
    const [, command] = /^Usage: (.*) admin show /.exec(helpOf('node', [`${root}/bin/quantd.js`], folder))!
    const typed = { cwd: folder, encoding: 'utf8', env: { PATH } } as const
    assert.match(execFileSync('sh', ['-c', `${command} admin show --help`], typed), /^Usage: /)
    assert.equal(programName('/my apps/bin/quantd.js', '/', {}), "node 'my apps/bin/quantd.js'")
  })

  it('is `quantd` where a link of that name is in PATH, and the path of the link where it is not', () => {
    const link = join(folder, 'quantd')
    symlinkSync(join(root, 'bin/quantd.js'), link)
    assert.match(helpOf('quantd', [], root, `${folder}:${PATH}`), /^Usage: quantd admin show /)
    assert.ok(helpOf(link, [], root).startsWith(`Usage: ${link} admin show `))
  })

  it('is `npx quantd` where npx has put the link in PATH', () => {
    const command = programName('/app/node_modules/.bin/quantd', '/app', {
      PATH: `/app/node_modules/.bin:${PATH}`,
      npm_command: 'exec',
    })
    assert.equal(command, 'npx quantd')
  })

  it('is the file that Node was started with, where no launcher was', () => {
    assert.match(helpOf('node', ['src/app/quantd.ts'], root), /^Usage: node src\/app\/quantd\.ts admin show /)
  })
})
