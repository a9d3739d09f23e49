/** A registered account with many credits on a service, made by the command line. */
import assert from 'node:assert/strict'
import { operator, settingsOf } from '../support/operator.ts'

/** The environment of a Python process that works with a new account of type pro. */
export async function openAccount(
  { dataDir, url }: { readonly url: string; readonly dataDir: string },
  { credits = 1_000_000, email = 'ada@example.org' } = {},
): Promise<Readonly<Record<string, string>>> {
  const create = ['admin', 'create', '--json', '--tier', 'pro', '--credits', String(credits), email]
  const { code, err, json } = await operator(settingsOf({ dataDir, databaseUrl: null }))(create)
  assert.equal(code, 0, err)
  return { QUANTD_URL: url, QUANTD_API_KEY: json.api_key }
}
