/** Texts for users install what exists, and every text file has the form that .editorconfig tells editors. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    .filter((path) => extname(path) !== '' || path.startsWith('.') || path.endsWith('Dockerfile'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Commands that take a package by a name of quantd from a registry, where nobody owns it: anybody could put code there. */
const BY_NAME =
  /\b(?:npm (?:install|i|exec)|npx|pnpm dlx|bunx|pip3? install|pipx run|uvx?)(?: -[^\n`]*?)? ["']?quantd\b/

/** A line that is only for readers of the code. */
const COMMENT = /^\s*(?:\/\*|\*|\/\/).*$/gm

test('no text for users installs or runs a package by a name that nobody owns yet', () => {
  const shipped = filesOf(
    '*.md',
    '.env.example',
    '{docs,deploy,examples}/**/*.{md,yaml,yml,service,tpl,cfg,conf,ipynb}',
    'deploy/{Dockerfile,proxies/Caddyfile}',
    'clients/*/README.md',
    'src/**/*.{ts,tsx,html}',
  ).map(({ path, text }) => ({ path, text: path.startsWith('src/') ? text.replace(COMMENT, '') : text }))
  assert.ok(shipped.length > 300)
  for (const command of ['npm install quantd', 'npx -y quantd', 'pip install quantd', 'uvx quantd'])
    assert.match(command, BY_NAME)
  assert.doesNotMatch('npm install --prefix /opt/quantd ./quantd-1.2.3.tgz', BY_NAME)
  // CHANGELOG.md tells of the past.
  const found = shipped.filter(({ path, text }) => path !== 'CHANGELOG.md' && BY_NAME.test(text))
  assert.deepEqual(
    found.map(({ path, text }) => `${path}: ${BY_NAME.exec(text)?.[0]}`),
    [],
  )
})

test('text files end with a line feed, have no carriage return and no space at the end of a line', () => {
  const config = readFileSync(join(root, '.editorconfig'), 'utf8')
  for (const rule of ['end_of_line = lf', 'insert_final_newline = true', 'trim_trailing_whitespace = true'])
    assert.ok(config.includes(rule), rule)
  const files = filesOf(
    '*.{md,json}',
    '{bench,bin,clients,deploy,docs,scripts,src,test}/**/*.{ts,tsx,js,py,md,yml,yaml,css,html,conf,cfg}',
    '.github/**/*.yml',
  )
  assert.ok(files.length > 500)
  const others = files.filter(({ text }) => /\r|[ \t]$/m.test(text) || !text.endsWith('\n'))
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
  )
})
