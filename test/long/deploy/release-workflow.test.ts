/** The workflow that tests every change and publishes a release, read by the parser of its service; nothing here can run it. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root, toolModule, toolPath } from './command.ts'

const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')

interface Job {
  readonly if?: string
  readonly needs?: readonly string[]
  readonly container?: { readonly options?: string }
  readonly strategy?: { readonly matrix: { readonly system: readonly string[] } }
  readonly permissions?: Record<string, string>
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}
let jobs: Record<string, Job>
let faultsOf: (workflow: string) => Promise<readonly string[]>

before(async () => {
  jobs = toolModule('yaml').parse(text).jobs
  // It imports its grammar as a bundler allows.
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  })
  const parser = await import(pathToFileURL(toolPath('@actions/workflow-parser/dist/index.js')).href)
  hooks.deregister()
  faultsOf = async (content) => {
    const { context, value } = parser.parseWorkflow(
      { name: 'ci.yml', content },
      new parser.NoOperationTraceWriter(),
    )
    if (value) await parser.convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(({ message }: Error) => message)
  }
})

const commandsOf = ({ steps }: Job): string => steps.map(({ run = '' }) => run).join('\n')

describe('the workflow', () => {
  it('follows the grammar, by a parser that finds a misspelt key, job and variable', async () => {
    assert.deepEqual(await faultsOf(text), [])
    for (const [from, to, fault] of [
      ['runs-on:', 'run-on:', /Unexpected value 'run-on'/],
      ['needs: [test,', 'needs: [tests,', /unknown job 'tests'/],
      ['github.ref_type', 'githb.ref_type', /Unrecognized named-value: 'githb'/],
    ] as const)
      assert.match((await faultsOf(text.replace(from, to))).join('\n'), fault)
  })

  it('runs every check before anything is published, and publishes tags alone', () => {
    assert.match(commandsOf(jobs.test!), /\.ci\/run/)
    assert.ok(existsSync(join(root, '.ci/run')))
    assert.deepEqual(jobs.publish!.needs, ['test', 'systems'])
    assert.deepEqual(jobs.systems!.strategy!.matrix.system, ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15'])
    assert.equal(jobs.publish!.if, "github.ref_type == 'tag'")
  })

  it('gives no change that nobody has read a privileged container', () => {
    const privileged = Object.values(jobs).filter(({ container }) =>
      container?.options?.includes('--privileged'),
    )
    assert.deepEqual(
      privileged.map((job) => job.if),
      ["github.event_name != 'pull_request'"],
    )
  })

  it('publishes an image only if the images that it starts from are pinned', () => {
    assert.match(commandsOf(jobs.publish!), /docker buildx build [^;]*--build-arg PINNED=required /)
  })

  it('pushes the chart as an OCI artifact, and signs what it has pushed', () => {
    assert.match(
      commandsOf(jobs.publish!),
      /helm push "build\/chart\/quantd-\$VERSION\.tgz" "oci:\/\/\$charts"/,
    )
    assert.match(text, /subject-digest: \$\{\{ steps\.chart\.outputs\.digest \}\}/)
  })

  it('signs packages and image, and only its publishing job may', () => {
    const commands = commandsOf(jobs.publish!)
    assert.equal(commands.match(/npm publish --provenance /g)?.length, 3)
    assert.doesNotMatch(text, /secrets\./)
    assert.match(commands, /--provenance=mode=max --sbom=true/)
    assert.equal(jobs.publish!.permissions!['id-token'], 'write')
    assert.equal(jobs.test!.permissions, undefined)
    assert.deepEqual(toolModule('yaml').parse(text).permissions, { contents: 'read' })
  })

  it('uses actions by their commit, and npm scripts that exist', () => {
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    for (const { uses } of steps)
      if (uses !== undefined) assert.match(uses, /^(actions|pypa)\/[\w-]+@[0-9a-f]{40}$/)
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = Object.values(jobs).flatMap((job) => [...commandsOf(job).matchAll(/npm run ([\w:]+)/g)])
    assert.ok(named.length > 0)
    for (const [, script] of named) assert.ok(Object.hasOwn(scripts, script!), script)
  })
})
