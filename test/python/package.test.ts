/** The Python package: its types, and the wheel that a service offers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { useService } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { lacking, PACKAGE, python } from './python.ts'

const service = await useService()

const folder = temporaryFolder('package')

test('mypy finds no fault in its strict mode, and checks a program by the types of the package', {
  skip: lacking('mypy'),
}, async () => {
  const program = join(folder, 'program.py')
  writeFileSync(
    program,
    [
      'import quantd',
      'client = quantd.Client()',
      'reveal_type(client.logarithmic_utility(1).utility)',
      'reveal_type(client.numerical_derivative(func_name="exp", x=0.5))',
      'reveal_type(client.credits()["spent"])',
      'reveal_type(client.numerical_derivative(func_name="exp", x=[0.5, 1]))',
      'reveal_type(client.black_scholes_price(S=100, K=105, r=0.05, sigma=0.2, T=1))',
      'async def main(client: quantd.AsyncClient) -> None:',
      '    reveal_type((await client.logarithmic_utility(1)).utility)',
      '    reveal_type(await client.numerical_derivative(func_name="exp", x=[0.5, 1]))',
      '    reveal_type([one["path"] async for one in client.usage()])',
      'client.logarithmic_utility(welth=1)',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"wealth": 1}}])',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"welth": 1}}])',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"wealth": "1"}}])',
    ].join('\n'),
  )
  const target = ['--strict', '--python-version', '3.11', '--cache-dir', join(folder, 'types')]
  const { stdout } = await python(['-m', 'mypy', '--config-file=', ...target, 'quantd', program], {
    cwd: PACKAGE,
  })
  const revealed = [...stdout.matchAll(/Revealed type is "([^"]+)"/g)].map(([, type]) => type)
  assert.deepEqual(
    revealed,
    [
      ...['builtins.float', 'builtins.float', 'builtins.float', 'builtins.list[builtins.float]', 'Any'],
      ...['builtins.float', 'builtins.list[builtins.float]', 'builtins.list[builtins.str]'],
    ],
    stdout,
  )
  const errors = stdout.split('\n').filter((line) => line.includes(': error: '))
  assert.match(errors[0], /program\.py:12: error: No overload variant/)
  // The right call of a batch is in line 13.
  const lines = errors.map((error) => /:(\d+): error/.exec(error)![1])
  assert.deepEqual([...new Set(lines)], ['12', '14', '15'], stdout)
})

test('the wheel of a service is installed by pip without an index, with licence, types and metadata', {
  skip: lacking('venv', 'ensurepip'),
}, async () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, '../../package.json'), 'utf8'))
  const name = `quantd-${version}-py3-none-any.whl`
  const venv = join(folder, 'venv')
  assert.equal((await python(['-m', 'venv', venv])).code, 0)
  const { status, stderr } = await exit(join(venv, 'bin/pip'), [
    ...['install', '--no-index', '--no-cache-dir', '--disable-pip-version-check'],
    `${service.url}/clients/${name}`,
  ])
  assert.equal(status, 0, stderr)
  const script = [
    'import importlib.metadata as m, os, quantd',
    'd = m.distribution("quantd")',
    'assert all(f.hash is None or f.locate().exists() for f in d.files)',
    'here = os.path.dirname(quantd.__file__)',
    'print(d.version, quantd.__version__, d.metadata["License-Expression"], d.metadata["Requires-Python"])',
    'print(sorted(r for r in d.requires), os.path.exists(here + "/py.typed"), os.path.exists(here + "/async_computations.pyi"))',
    'print(d.read_text("licenses/LICENSE").split()[0:2], "quantd.Client" in d.metadata.get_payload())',
  ].join('\n')
  const found = await exit(join(venv, 'bin/python'), ['-I', '-c', script])
  assert.equal(found.status, 0, found.stderr)
  assert.deepEqual(found.stdout.trim().split('\n'), [
    `${version} ${version} Apache-2.0 >=3.11`,
    `['cryptography; extra == "receipts"', 'numpy; extra == "frames"', 'pandas; extra == "frames"', 'tqdm; extra == "progress"'] True True`,
    "['Apache', 'License'] True",
  ])
  const again = await fetch(`${service.url}/clients/${name}`)
  assert.equal(again.headers.get('content-type'), 'application/zip')
  assert.equal((await fetch(`${service.url}/clients/quantd-0.0.1-py3-none-any.whl`)).status, 404)
})

/** Runs a program to its end, without the caller's settings. */
async function exit(file: string, args: readonly string[]) {
  const child = spawn(file, args, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const status =
    child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('close', resolve)))
  return { status, stdout, stderr }
}
