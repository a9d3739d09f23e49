/** Makes src/compute/catalogue/index.ts, the list of the operations that the folders of src/compute/catalogue declare, one per file. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../src/compute/catalogue')

/** Operations keep their order in the existing list, which the documents follow; new ones come last. */
export function catalogueList(): { path: string; text: string } {
  const files = globSync('*/*.ts', { cwd: FOLDER }).map((file) => file.replace(/\.ts$/, ''))
  const present = [...readFileSync(join(FOLDER, 'index.ts'), 'utf8').matchAll(/^ {2}(\w+),$/gm)]
  const places = new Map(present.map(([, name], index) => [name!, index]))
  const place = (file: string) => places.get(exportOf(file)) ?? Number.POSITIVE_INFINITY
  const ordered = files.toSorted((a, b) => {
    const [one, other] = [place(a), place(b)]
    return one === other ? (a < b ? -1 : 1) : one - other
  })
  const imports = [
    ...files.map((file) => ({ file, line: `import { ${exportOf(file)} } from './${file}.ts'` })),
    { file: 'operation', line: "import type { Operation } from './operation.ts'" },
  ].toSorted((a, b) => (a.file < b.file ? -1 : 1))
  return {
    path: 'src/compute/catalogue/index.ts',
    text: [
      '/** The list of all operations. Made by `npm run generate` from the folders; the order of the lines may be changed. */',
      ...imports.map(({ line }) => line),
      '',
      'export const operations: readonly Operation[] = [',
      ...ordered.map((file) => `  ${exportOf(file)},`),
      ']\n',
    ].join('\n'),
  }
}

/** `economics/log-utility` declares `logUtilityOperation`. */
const exportOf = (file: string): string =>
  `${file.replace(/^.*\//, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Operation`
