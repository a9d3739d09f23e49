/** The rules of the project: allowed imports, names, headings and sizes of files. biome.json limits functions to 70 lines. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { type Source, source, sources } from './house/source.ts'

const web = sources('src/web/{console,operators}/**/*.{ts,tsx}')
const src = sources('src/**/*.ts').filter(({ path }) => !/^src\/web\/(console|operators)\//.test(path))
const client = sources('clients/typescript/*.ts')
/** The files of rooms. The samples of code that the console shows contain imports. */
const inRooms = [...src, ...web, ...client].filter(({ path }) => !path.endsWith('/sample-code.ts'))
/** The examples in this file break the rules. */
const ours = [
  ...[...src, ...web, ...client],
  ...sources('scripts/**/*.{ts,js}', 'bin/*.js', '{bench,test}/**/*.ts'),
].filter(({ path }) => path !== 'test/house.test.ts')
/** Generated. */
const GENERATED = ['clients/typescript/types.ts', 'clients/typescript/operator-acts.ts']
/** The styles of all pages, to be divided. */
const STYLES_OF_ALL_PAGES = ['src/web/console/base.css']

/** Room → the imports that its files may have: test/house/rooms.txt. */
const ROOMS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  readFileSync(new URL('house/rooms.txt', import.meta.url), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\n(?= )/g, '')
    .trim()
    .split('\n')
    .map((row) => {
      const [room, permissions] = row.split(/:(?= |$)/)
      return [room!, permissions!.split(/ +/).filter(Boolean)]
    }),
)

/** Rules about single files; `broken` returns the violation, or something falsy. */
const FILE_RULES: readonly { name: string; files: readonly Source[]; broken(file: Source): unknown }[] = [
  {
    name: 'a file imports only what its room may',
    files: inRooms,
    broken: ({ path, imports }) => {
      const room = roomOf(path)
      if (room === undefined) return 'belongs to no room'
      return list(imports.filter((target) => !mayImport(room, target)))
    },
  },
  {
    name: 'a file imports only types of TypeBox itself, whose functions take long to load (src/base/type.ts)',
    files: src,
    broken: ({ code }) => code.match(/^import (?!type\b).* from 'typebox'$/m)?.[0],
  },
  {
    name: 'src/ reads no file of test/ or bench/',
    files: inRooms,
    broken: ({ text }) => text.match(/(\.\.\/)+(test|bench)\/[^'"`]*/)?.[0],
  },
  {
    name: 'a folder of test/ imports nothing of another one but test/support/, and bench/ only that',
    files: ours.filter(({ path }) => /^(test|bench)\//.test(path)),
    broken: ({ path, imports }) =>
      list(
        imports.filter(
          (target) => isTest(target) && ![testFolder(path), 'support'].includes(testFolder(target)),
        ),
      ),
  },
  {
    name: 'the service imports only packages that a production install has, or may have',
    files: inRooms,
    broken: ({ imports }) => list(imports.filter((target) => isPackage(target) && !(target in dependencies))),
  },
  {
    name: 'file names are kebab-case',
    files: ours,
    broken: ({ path }) =>
      !/^[a-z0-9]+(-[a-z0-9]+)*(\.d|\.test)?\.(tsx?|js)$/.test(basename(path)) && 'rename it',
  },
  {
    name: 'no file has a name without meaning',
    files: ours,
    broken: ({ path }) => path.match(/\b(utils?|helpers?|managers?|common|misc|shared)\b/)?.[0],
  },
  {
    name: 'a file begins with a sentence that describes it',
    files: ours,
    broken: ({ text }) => !/^(#!.*\n)?\/\*\*[\s*]+\S[^@]*?[.:]\s*\*\//.test(text) && 'has no heading',
  },
  {
    name: 'a file of src/ or a client has at most 400 lines',
    files: [...src, ...web, ...client, ...sources('src/web/console/*.css')].filter(
      ({ path }) => ![...GENERATED, ...STYLES_OF_ALL_PAGES].includes(path),
    ),
    broken: ({ text }) => {
      const lines = text.trimEnd().split('\n').length
      return lines > 400 && `${lines} lines`
    },
  },
  {
    name: 'no item of a list is asserted, since the type checker takes it for present',
    files: ours,
    broken: ({ code }) => code.match(/.*\]!(?!=).*/)?.[0],
  },
  {
    name: 'no object is spread as it is written',
    files: ours,
    broken: ({ code }) => code.match(/.*\.\.\.\{.*/)?.[0],
  },
  {
    name: 'only base/errors/ makes failures, so that it has every text',
    files: src.filter(({ path }) => !/^src\/base\/(errors\/|failure\.ts)/.test(path)),
    broken: ({ code }) => code.match(/.*new Failure\(.*/)?.[0],
  },
  {
    name: 'a minute, an hour and a day in milliseconds are those of src/base/time.ts',
    files: src.filter(({ path }) => path !== 'src/base/time.ts'),
    broken: ({ code }) =>
      code.match(/\b(60_?000|3_?600_?000|86_?400_?000|60 \* 60|24 \* 60|60 \* 1_?000)\b/)?.[0],
  },
  {
    name: 'no file contains a TODO',
    files: ours,
    broken: ({ text }) => text.match(/\b(TODO|FIXME|XXX|HACK)\b/)?.[0],
  },
  {
    name: 'only src/app/config/read-config.ts reads the environment',
    files: src.filter(({ path }) => path !== 'src/app/config/read-config.ts'),
    broken: ({ code }) => code.match(/\bprocess\.env\b|\bprocess\[|\{[^}]*\benv\b[^}]*\} = process\b/)?.[0],
  },
  {
    name: 'only the command line prints',
    files: src.filter(({ path }) => !/^src\/app\/(quantd\.ts|cli\/)/.test(path)),
    broken: ({ code }) => code.match(/\bconsole\.\w+\(|\bprocess\.std(out|err)\b/)?.[0],
  },
  {
    name: 'numerics and the ledger use no clock and no random numbers',
    files: src.filter(({ path }) => /^src\/(numerics|compute\/catalogue|ledger\/rules)\//.test(path)),
    broken: ({ code }) =>
      code.match(/\bDate\.now\b|\bDate\(\)|\bMath\.random\b|\bperformance\.|\bcrypto\b/)?.[0],
  },
]

describe('the rules of the house', () => {
  for (const { name, files, broken } of FILE_RULES)
    test(name, () => {
      assert(files.length > 0, 'the rule looks at no file')
      const found = files.flatMap((file) => {
        const fault = broken(file)
        return fault ? [`${file.path}: ${fault}`] : []
      })
      assert.deepEqual(found, [])
    })

  test('every permission is used', () => {
    const unused = Object.entries(ROOMS).flatMap(([room, permissions]) => {
      const targets = inRooms.filter(({ path }) => roomOf(path) === room).flatMap(({ imports }) => imports)
      return permissions
        .filter((permission) => !targets.some((target) => permits(permission, target)))
        .map((permission) => `${room} imports nothing of ${permission}`)
    })
    assert.deepEqual(unused, [])
  })

  test('no import circles', () => {
    assert.deepEqual(circles([...inRooms, ...ours]), [])
  })
})

describe('the reading of imports', () => {
  test('every way to import is seen', () => {
    const text = `
import { a } from './a.ts'
import type { B } from '../b.ts'
import {
  c,
  d,
} from 'pack/part'
import '@scope/pack/part'
export * from './e.ts'
export { f } from './f.ts'
const g = await import('./g.ts')
const h = new Worker(new URL('./h.ts', import.meta.url))
import i from 'node:fs/promises'`
    assert.deepEqual(source('src/room/file.ts', text).imports, [
      ...['src/room/a.ts', 'src/b.ts', 'pack', '@scope/pack', 'src/room/e.ts', 'src/room/f.ts'],
      ...['src/room/g.ts', 'src/room/h.ts', 'node:fs/promises'],
    ])
  })

  test('text in comments, strings and templates is not read as code', () => {
    const text = [
      "// import a from './a.ts'",
      "/* import b from './b.ts' */",
      `const shown = \`import c from './c.ts'; process.env.D \${process.env.E}\``,
      'const quotes = /[\'"`]/',
      "import f from './f.ts'",
    ].join('\n')
    const { code, imports } = source('src/file.ts', text)
    assert.deepEqual(imports, ['src/f.ts'])
    assert.deepEqual(code.match(/process\.env\.\w/g), ['process.env.E'])
  })

  test('a circle of three files is found, a diamond is none', () => {
    const files = [
      source('src/top.ts', "import './left.ts'\nimport './right.ts'"),
      source('src/left.ts', "import './bottom.ts'"),
      source('src/right.ts', "import './bottom.ts'"),
      source('src/bottom.ts', ''),
    ]
    assert.deepEqual(circles(files), [])
    const closed = source('src/bottom.ts', "import './top.ts'")
    assert.deepEqual(circles([...files.slice(0, 3), closed]), [
      'src/top.ts → src/left.ts → src/bottom.ts → src/top.ts',
    ])
  })

  test('the longest name that fits is the room', () => {
    assert.equal(roomOf('src/secrets/keys.ts'), 'secrets')
    assert.equal(roomOf('src/web/console/app.js'), 'web/console')
    assert.equal(roomOf('src/nowhere/file.ts'), undefined)
    assert.equal(mayImport('ledger', 'src/accounts/login.ts'), false)
    assert.equal(mayImport('serve', 'src/ledger/store/store.ts'), true)
    assert.equal(mayImport('numerics', 'src/compute/catalogue/index.ts'), false)
    assert.equal(mayImport('ledger', 'node:fs'), true)
    assert.equal(mayImport('numerics', 'node:fs'), false)
    assert.equal(mayImport('clients/typescript', 'src/base/errors/requests.ts'), false)
    assert.equal(mayImport('web/console', 'clients/typescript/index.ts'), false)
  })
})

const { dependencies: needed, peerDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const dependencies: Record<string, string> = { ...needed, ...peerDependencies }

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => isIn(path, room))
    .sort((a, b) => b.length - a.length)[0]
}

const mayImport = (room: string, target: string): boolean =>
  [room, room.split('/')[0], ...ROOMS[room]].some((permission) => permits(permission, target))

const permits = (permission: string, target: string): boolean =>
  permission.endsWith('*')
    ? target.startsWith(permission.slice(0, -1))
    : target === permission || isIn(target, permission)

function isIn(path: string, room: string): boolean {
  const place = room.startsWith('clients/') ? room : `src/${room}`
  return path === `${place}.ts` || path.startsWith(`${place}/`)
}

const isTest = (path: string) => path.startsWith('test/')

/** The folder below test/; a file beside it with the same name belongs to it. */
const testFolder = (path: string): string | undefined =>
  isTest(path) ? path.split('/')[1].replace(/(\.test)?\.ts$/, '') : undefined

const isPackage = (target: string) => !/^(src\/|clients\/|node:)/.test(target)

const list = (targets: readonly string[]) => targets.length > 0 && `imports ${targets.join(', ')}`

/** Every circle of imports once, as `a → b → a`; imports of types count too. */
function circles(files: readonly Source[]): string[] {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]))
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start >= 0) found.push([...way.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}
