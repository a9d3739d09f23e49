/** A test service with the operators' interface; each function sends a request as an operator. */
import assert from 'node:assert/strict'
import { ROLES, type Role } from '../../src/operators/roles.ts'
import { freePort } from './free-port.ts'
import { operator, settingsOf } from './operator.ts'
import { useService } from './people.ts'
import { type Answer, reached, request } from './service.ts'

/** A service that closes after the tests of the file, with a token for each role, named after the role. */
export async function useOperators(settings: Record<string, string> = {}) {
  const port = await freePort()
  const service = await useService({ QUANTD_OPERATOR_PORT: String(port), ...settings })
  const url = `http://127.0.0.1:${port}`
  const quantd = operator({ ...settingsOf(service), ...settings })
  const tokenOf = async (name: string, role: Role): Promise<string> => {
    const { code, err, json } = await quantd(['admin', 'token', 'create', name, '--role', role, '--json'])
    assert.equal(code, 0, err)
    return json.token
  }
  const tokens = {} as Record<Role, string>
  for (const role of ROLES) tokens[role] = await tokenOf(role, role)
  const act = (path: string, body?: object, token = tokens.admin): Promise<Answer> =>
    reached(() =>
      request(`${url}/operator/v1/${path}`, {
        ...(body !== undefined && { body }),
        headers: { authorization: `Bearer ${token}` },
      }),
    )
  /** The data of a reply. */
  const done = async (path: string, body?: object, token?: string) => {
    const { status, body: reply, text } = await act(path, body, token)
    assert.equal(status, 200, text)
    return reply.data
  }
  /** The items of all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: items of every shape
  const all = async (path: string, limit = 7): Promise<any[]> => {
    const items = []
    for (let cursor = ''; ; ) {
      const joined = path.includes('?') ? '&' : '?'
      const page = await done(`${path}${joined}limit=${limit}${cursor && `&cursor=${cursor}`}`)
      items.push(...page.items)
      if (page.next_cursor === null) return items
      cursor = page.next_cursor
    }
  }
  return { service, url, quantd, tokens, tokenOf, act, done, all }
}

/** The lines of a table with a heading, by RFC 4180. */
export function linesOf(text: string): Record<string, string>[] {
  const lines = text.trimEnd().split('\r\n')
  const [names, ...rows] = lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
    ),
  )
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [names![index], value])))
}
