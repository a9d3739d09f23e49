/** The Python package: its types, its wheel and its source distribution. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lacking, PACKAGE, python } from './python.ts'

const folder = mkdtempSync(join(tmpdir(), 'quantd-package-'))
after(() => rmSync(folder, { recursive: true, force: true }))

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
      'client.logarithmic_utility(welth=1)',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"wealth": 1}}])',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"welth": 1}}])',
      'client.batch([{"path": "/quantlib/economics/utility/log", "body": {"wealth": "1"}}])',
    ].join('\n'),
  )
  const target = ['--strict', '--python-version', '3.9', '--cache-dir', join(folder, 'types')]
  const { stdout } = await python(['-m', 'mypy', '--config-file=', ...target, 'quantd', program], {
    cwd: PACKAGE,
  })
  const revealed = [...stdout.matchAll(/Revealed type is "([^"]+)"/g)].map(([, type]) => type)
  assert.deepEqual(
    revealed,
    [...['builtins.float', 'builtins.float', 'builtins.float'], 'builtins.list[builtins.float]'],
    stdout,
  )
  const errors = stdout.split('\n').filter((line) => line.includes(': error: '))
  assert.match(errors[0], /program\.py:7: error: No overload variant/)
  // The right call of a batch is in line 8.
  const lines = errors.map((error) => /:(\d+): error/.exec(error)![1])
  assert.deepEqual([...new Set(lines)], ['7', '9', '10'], stdout)
})

test('the wheel and the source distribution can be built and used without the network', {
  skip: lacking('build', 'setuptools', 'wheel'),
}, async () => {
  const source = join(folder, 'source')
  cpSync(PACKAGE, source, { recursive: true, filter: (path) => !/__pycache__|\.egg-info|_cache/.test(path) })
  const built = await python(['-m', 'build', '--no-isolation', '--outdir', join(folder, 'dist')], {
    cwd: source,
  })
  assert.equal(built.code, 0, built.stdout + built.stderr)
  const { version } = JSON.parse(readFileSync(join(PACKAGE, '../../package.json'), 'utf8'))
  const files = readdirSync(join(folder, 'dist')).sort()
  assert.deepEqual(files, [`quantd-${version}-py3-none-any.whl`, `quantd-${version}.tar.gz`])

  const installed = join(folder, 'installed')
  await python(['-m', 'zipfile', '-e', join(folder, 'dist', files[0]), installed])
  assert.ok(readdirSync(join(installed, 'quantd')).includes('py.typed'))
  const metadata = readFileSync(join(installed, `quantd-${version}.dist-info/METADATA`), 'utf8')
  assert.match(metadata, /^Requires-Python: >=3\.9$/m)
  assert.doesNotMatch(metadata, /^Requires-Dist: (?!.*extra ==)/m)
  const script = 'import quantd; print(quantd.__file__, quantd.__version__)'
  const { stdout } = await python(['-c', script], { env: { PYTHONPATH: installed } })
  assert.equal(stdout.trim(), `${join(installed, 'quantd/__init__.py')} ${version}`)
  const sdist = await python(['-m', 'tarfile', '-l', join(folder, 'dist', files[1])])
  assert.match(sdist.stdout, /\/quantd\/computations\.py\s*$/m)
})
