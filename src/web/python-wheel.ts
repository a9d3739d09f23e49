/** The wheel of the Python package, which needs no Python to be built: a ZIP archive with the same bytes on every machine. */
import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

export interface WheelSources {
  readonly version: string
  /** The text of the package's pyproject.toml. */
  readonly project: string
  readonly readme: string
  readonly license: string
  /** The files of the package by their paths, such as `quantd/client.py`. */
  readonly files: ReadonlyMap<string, Buffer>
}

export const wheelName = (version: string): string => `quantd-${version}-py3-none-any.whl`

/** The bytes of a wheel (PyPA's binary distribution format 1.0, core metadata 2.4). */
export function pythonWheel(sources: WheelSources): Buffer {
  const info = `quantd-${sources.version}.dist-info`
  const files = new Map<string, Buffer>([
    ...[...sources.files].sort(([a], [b]) => (a < b ? -1 : 1)),
    [`${info}/licenses/LICENSE`, Buffer.from(sources.license)],
    [`${info}/METADATA`, Buffer.from(metadata(sources))],
    [
      `${info}/WHEEL`,
      Buffer.from('Wheel-Version: 1.0\nGenerator: quantd\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    ],
  ])
  const recorded = [...files].map(([path, content]) => `${path},sha256=${digest(content)},${content.length}`)
  files.set(`${info}/RECORD`, Buffer.from(`${[...recorded, `${info}/RECORD,,`].join('\n')}\n`))
  return zip(files)
}

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64url')

function metadata({ project, readme, version }: WheelSources): string {
  const urls = /^urls = \{(.*)\}$/m.exec(project)?.[1] ?? ''
  const extras = /^\[project\.optional-dependencies\]\n((?:.+\n)*)/m.exec(project)?.[1] ?? ''
  return [
    'Metadata-Version: 2.4',
    `Name: ${text(project, 'name')}`,
    `Version: ${version}`,
    `Summary: ${text(project, 'description')}`,
    `License-Expression: ${text(project, 'license')}`,
    'License-File: LICENSE',
    ...[...urls.matchAll(/(\w+) = "([^"]*)"/g)].map(([, name, url]) => `Project-URL: ${name}, ${url}`),
    ...list(project, 'classifiers').map((one) => `Classifier: ${one}`),
    `Requires-Python: ${text(project, 'requires-python')}`,
    ...[...extras.matchAll(/^(\w+) = \[/gm)].flatMap(([, extra]) => [
      `Provides-Extra: ${extra}`,
      ...list(extras, extra).map((name) => `Requires-Dist: ${name}; extra == "${extra}"`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')
}

/** The value of a key of a TOML document that is a string. */
function text(project: string, key: string): string {
  const found = new RegExp(`^${key} = "([^"]*)"$`, 'm').exec(project)
  if (found === null) throw new Error(`pyproject.toml has no text ${key}`)
  return found[1]
}

/** The value of a key of a TOML document that is an array of strings; empty where there is none. */
const list = (project: string, key: string): string[] =>
  [...(new RegExp(`^${key} = \\[([^\\]]*)\\]`, 'm').exec(project)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(
    ([, item]) => item,
  )

/** 1980-01-01, the first day that an entry of an archive can have. */
const [TIME, DAY] = [0, 0x21]
const [DEFLATED, VERSION, UTF8] = [8, 20, 0x800]
/** A regular file that everyone may read, in the upper half of the external attributes, by Unix. */
const [UNIX, READABLE] = [3 << 8, 0o100644 * 2 ** 16]

/** A ZIP archive (PKWARE's APPNOTE 6.3). */
function zip(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(VERSION, 0)
    common.writeUInt16LE(UTF8, 2)
    common.writeUInt16LE(DEFLATED, 4)
    common.writeUInt16LE(TIME, 6)
    common.writeUInt16LE(DAY, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = [Buffer.from('PK\x03\x04'), common, name, packed]
    const place = Buffer.alloc(14)
    place.writeUInt32LE(READABLE, 6)
    place.writeUInt32LE(offset, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(UNIX | VERSION, 0)
    directory.push(Buffer.from('PK\x01\x02'), madeBy, common, place, name)
    parts.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
