/** The examples of a library's README as one program, and what it says the program prints. */
import { stripTypeScriptTypes } from 'node:module'

const ADDRESS = 'http://127.0.0.1:8080'

export interface Example {
  /** TypeScript. */
  readonly source: string
  /** The same as JavaScript. */
  readonly code: string
  /** The lines that it prints. */
  readonly printed: string
}

/** @param url of the service, in place of the address in the text */
export function readmeExample(readme: string, url = ADDRESS): Example {
  const blocks = (language: string): string[] =>
    [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, text]) => text!,
    )
  const source = blocks('ts').join('\n').replaceAll(ADDRESS, url)
  return {
    source,
    code: stripTypeScriptTypes(source),
    printed: blocks('text').join(''),
  }
}
