/** Makes src/compute/catalogue/index.ts, the list of the operations that the folders of src/compute/catalogue declare. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../src/compute/catalogue')
/** Longer lines are broken, as the formatter does. */
const LINE_CHARACTERS = 110

/** Operations keep their order in the existing list, which the documents follow; new ones come last. */
export function catalogueList(): { path: string; text: string } {
  const files = globSync('*/*.ts', { cwd: FOLDER })
    .map((file) => ({ file: file.replace(/\.ts$/, ''), names: declaredIn(textOf(file)) }))
    .filter(({ names }) => names.length > 0)
  const places = new Map(listedIn(textOf('index.ts')).map((name, index) => [name, index]))
  const place = (name: string) => places.get(name) ?? Number.POSITIVE_INFINITY
  const ordered = files
    .flatMap(({ names }) => names)
    .toSorted((a, b) => {
      const [one, other] = [place(a), place(b)]
      return one === other ? (a < b ? -1 : 1) : one - other
    })
  const imports = [
    ...files.map(({ file, names }) => ({ file, line: importOf(names.toSorted(), file) })),
    { file: 'operation', line: "import type { Operation } from './operation.ts'" },
  ].toSorted((a, b) => (a.file < b.file ? -1 : 1))
  return {
    path: 'src/compute/catalogue/index.ts',
    text: [
      '/** The list of all operations. Made by `npm run generate` from the folders; the order of the lines may be changed. */',
      ...imports.map(({ line }) => line),
      '',
      LIST,
      ...ordered.map((name) => `  ${name},`),
      ']\n',
    ].join('\n'),
  }
}

const LIST = 'export const operations: readonly Operation[] = ['

const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

const declaredIn = (text: string): string[] =>
  [...text.matchAll(/^export const (\w+) = operation\(/gm)].map(([, name]) => name!)

const listedIn = (text: string): string[] =>
  [...text.slice(text.indexOf(LIST)).matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name!)

function importOf(names: readonly string[], file: string): string {
  const line = `import { ${names.join(', ')} } from './${file}.ts'`
  if (line.length <= LINE_CHARACTERS) return line
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}.ts'`
}
