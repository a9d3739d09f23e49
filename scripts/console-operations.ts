/** Makes src/web/console/operations/{formulas,tables}.ts, the lists of the modules in that folder, which the page loads as scripts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../src/web/console/operations')

export function consoleOperations(): { path: string; text: string }[] {
  const files = globSync('!(index|formulas|tables).{ts,tsx}', { cwd: FOLDER }).sort((a, b) =>
    baseOf(a) < baseOf(b) ? -1 : 1,
  )
  return [
    listOf(
      'formulas',
      'without a table',
      files.filter((file) => !hasTable(file)),
      '',
    ),
    listOf('tables', 'with a table', files.filter(hasTable), "\nexport * from '../table-page.ts'\n"),
  ]
}

/** A batch has a table of results. */
const hasTable = (file: string): boolean =>
  file === 'batch.tsx' || /^export .*\b(table|tableOf)\b/m.test(textOf(file))

const listOf = (name: string, kind: string, files: readonly string[], more: string) => ({
  path: `src/web/console/operations/${name}.ts`,
  text: [
    `/** The operations ${kind}, by their names. Made by \`npm run generate\` from the folder. */`,
    "import type { Operation } from '../operation.ts'",
    ...files.map((file) => `import * as ${nameOf(file)} from './${file}'`),
    '',
    'export const operations: Readonly<Record<string, Operation>> = {',
    ...files.flatMap(entriesOf).map((entry) => `  ${entry},`),
    `}\n${more}`,
  ].join('\n'),
})

/** The entries of a file: a module is an operation, or has those of a model, whose export `greeks` of `pricing-bs` is `pricing-bs-greeks`. */
function entriesOf(file: string): string[] {
  const [base, name] = [baseOf(file), nameOf(file)]
  const ofModel = [...textOf(file).matchAll(/^export const (\w+) = \{\n {2}lead: /gm)].map(([, one]) => one)
  if (ofModel.length === 0) return [base === name ? name : `'${base}': ${name}`]
  return ofModel.map((one) => `'${base}-${kebab(one)}': ${name}.${one}`)
}

const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const baseOf = (file: string): string => file.replace(/\.tsx?$/, '')

/** `pricing-bs.ts` is `pricingBs`. */
const nameOf = (file: string): string =>
  baseOf(file).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
