/** Counts and lists in documents that the declarations of the operations determine. */
import { pythonMethods } from '../scripts/generators/python-client.ts'
import { sources } from '../src/derive/sources.ts'
import { toolList } from '../src/derive/tools.ts'

const tools = toolList(sources)

export const facts: Readonly<Record<string, () => string>> = {
  'mcp-tools': () => String(tools.length),
  'mcp-characters': () => english(JSON.stringify({ tools }).length),
  'mcp-tokens': () => english(mostTokens(JSON.stringify({ tools }))),
  'python-methods': () =>
    [
      '\n| Method | Takes | Returns |\n|---|---|---|',
      ...pythonMethods(sources).map(({ call, returns, takes }) => `| \`${call}\` | ${takes} | ${returns} |`),
      '',
    ].join('\n'),
}

/** An upper bound of the tokens of English text or JSON: pieces of at most six letters, three digits or two signs. */
export const mostTokens = (text: string): number =>
  (text.match(/[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]{1,2}/g) ?? []).length

const english = (count: number): string => count.toLocaleString('en')
