/** A copy of the source that neither hashes nor writes proofs: the peer that tells what they cost. It makes no receipts. */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** The replacements in each file. Each text must be there, so that the peer does not fall behind unnoticed. */
const CHANGES: Readonly<Record<string, readonly (readonly [string | RegExp, string])[]>> = {
  'src/wire/proofs/hash.ts': [["hash('sha256', of, spelling)", "''"]],
  'src/serve/pipeline/settle.ts': [[/contentIn\(request, outcome\)/, 'null']],
  'src/ledger/proofs/group.ts': [
    [/if \(rows\.length === 0\) return \{ audit: \[\],/, 'if (rows) return { audit: rows,'],
  ],
  'src/ledger/store/ledger-rows.ts': [
    [/ {2}stream: \['integer', \(row\) => row\.stream\],\n/, ''],
    [/ {2}group_number: .*\n/, ''],
    [/ {2}content: \['bytea'.*\n/, ''],
  ],
  'src/ledger/store/sqlite/commit.ts': [
    ['readSalts(writes.audit, open.salts)', 'open.salts'],
    ['remember(open.salts, more)', 'void more'],
  ],
  'src/ledger/store/postgres/commit.ts': [['known === null ? [] : accountIds', 'known ? [] : accountIds']],
}

/** @returns its folder, which the caller removes */
export function withoutProofs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-without-proofs-'))
  for (const part of ['src', 'clients', 'scripts', 'package.json', 'openapi.json', '.env.example'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, changes] of Object.entries(CHANGES)) {
    const file = join(folder, name)
    const changed = changes.reduce(
      (text, [found, by]) => {
        const next = text.replace(found, () => by)
        if (next === text)
          throw new Error(`${name} has no ${found}: bring bench/peers/without-proofs.ts up to date`)
        return next
      },
      readFileSync(file, 'utf8'),
    )
    writeFileSync(file, changed)
  }
  return folder
}
