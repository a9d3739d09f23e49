/** The table of endpoints in README.md, between two markers. */
import { describe, type Sources } from '../../src/derive/documented-endpoints.ts'

const BEGIN = '<!-- endpoints:begin -->'
const END = '<!-- endpoints:end -->'

/** The text with a renewed table. Throws if the markers are absent. */
export function withEndpointTable(readme: string, sources: Sources): string {
  const begin = readme.indexOf(BEGIN)
  const end = readme.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`README.md needs ${BEGIN} and, after it, ${END}`)
  return `${readme.slice(0, begin + BEGIN.length)}\n${endpointTable(sources)}\n${readme.slice(end)}`
}

function endpointTable(sources: Sources): string {
  const rows = describe(sources).map(
    ({ method, path, key, title }) => `| ${method} | \`${path}\` | ${keyWord[key]} | ${title} |`,
  )
  return ['| Method | Path | Key | Purpose |', '|---|---|---|---|', ...rows].join('\n')
}

const keyWord = { none: '–', any: 'yes', registered: 'registered' } as const
