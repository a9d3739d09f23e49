/** The example of the client's README as one program, and what it says the program prints. */
import { stripTypeScriptTypes } from 'node:module'

const ADDRESS = 'http://127.0.0.1:8080'

/** @param url of the service, in place of the address in the text */
export function readmeExample(readme: string, url: string): { code: string; printed: string } {
  const blocks = (language: string): string[] =>
    [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, text]) => text!,
    )
  return {
    code: stripTypeScriptTypes(blocks('ts').join('\n').replaceAll(ADDRESS, url)),
    printed: blocks('text').join(''),
  }
}
