/**
 * Forgeries by someone who can write to the database, and who computes all later hashes again; with the service's own key they
 * sign the checkpoints again, too.
 */
import { groupLink } from '../../src/ledger/proofs/group.ts'
import { checkpointHash, type SignedCheckpoint } from '../../src/ledger/receipts/checkpoint.ts'
import { groupsOf, leavesOf, rowsOf } from '../../src/ledger/receipts/proven-rows.ts'
import { linkBefore } from '../../src/ledger/receipts/receipt.ts'
import { keyId, signatureBy } from '../../src/ledger/receipts/signing-keys.ts'
import { treeRoot } from '../../src/wire/proofs/hash.ts'
import { canonical } from '../../src/wire/receipt-check/receipt-values.ts'
import { FORGERIES } from './audit-forgery.ts'
import type { ForgedDatabase } from './forged-database.ts'
import { testVault } from './proven-audit.ts'

/** Ways to forge a row of a group of at least two, so that deleting one leaves a row. */
const ACTS = [
  'edit credits',
  'edit content',
  'move to another account',
  'delete',
  'insert into a group',
  'reorder',
]
const ALL = 1_000_000

interface Rewriting {
  readonly kind: string
  /** Whether the checkpoints are signed again. */
  readonly isSigned: boolean
}

/** Forges a row of any group since a time, and hides it. */
export async function rewriteHistory(
  db: ForgedDatabase,
  draw: () => number,
  { isSigned, since = 0 }: { readonly isSigned: boolean; readonly since?: number },
): Promise<Rewriting> {
  const groups = await db.all(
    'SELECT stream, number, at FROM audit_groups WHERE leaves > 1 AND at >= ? AND at >= (SELECT min(at) FROM audit)',
    since,
  )
  const { at, number, stream } = groups[Math.floor(draw() * groups.length)]
  const where = 'at = ? AND stream = ? AND group_number = ?'
  const own = await db.all(`SELECT * FROM audit WHERE ${where} ORDER BY id`, at, stream, number)
  const act = ACTS[Math.floor(draw() * ACTS.length)]
  await FORGERIES[act](db, own[Math.floor(draw() * own.length)], draw)
  await hashAgain(db, Number(stream), Number(number))
  if (isSigned) await signAgain(db, Number(stream))
  return { kind: `${act}, hash its stream again${isSigned ? ' and sign' : ''}`, isSigned }
}

async function hashAgain(db: ForgedDatabase, stream: number, from: number): Promise<void> {
  const groups = await db.read((sql) => groupsOf(sql, stream, from, ALL, ALL))
  const rows = await db.read((sql) => rowsOf(sql, stream, groups))
  const before = (await db.read((sql) => linkBefore(sql, stream, from)))!
  let { link } = before
  for (const group of groups) {
    const hashes = leavesOf(rows.get(group.number)!, before.version)
    link = groupLink({ ...group, leaves: hashes.length }, link, treeRoot(hashes))
    await db.run(
      'UPDATE audit_groups SET leaves = ?, link = ? WHERE stream = ? AND number = ?',
      hashes.length,
      Buffer.from(link, 'hex'),
      stream,
      group.number,
    )
  }
}

async function signAgain(db: ForgedDatabase, stream: number): Promise<void> {
  const keys = (await db.all('SELECT * FROM signing_keys')).map((key) => ({
    uid: String(key.uid),
    publicKey: String(key.public_key),
    masterKeyId: String(key.master_key_id),
    sealed: key.sealed as Buffer,
  }))
  const groups = await db.read((sql) => groupsOf(sql, stream, 1, ALL, ALL))
  let previous: string | null = null
  for (const line of await db.exported()) {
    const { checkpoint } = JSON.parse(line) as SignedCheckpoint
    const streams = checkpoint.streams.map((entry) => {
      if (entry.stream !== stream) return entry
      const links = groups.slice(entry.first - 1, entry.last).map(({ link }) => link)
      return { ...entry, head: links.at(-1)!, root: treeRoot(links) }
    })
    const own = { ...checkpoint, previous, streams }
    const body = canonical(own)
    previous = checkpointHash(own)
    await db.run(
      'UPDATE checkpoints SET body = ?, signatures = ? WHERE number = ?',
      body,
      JSON.stringify(
        keys
          .filter(({ publicKey }) => [own.key, own.next_key].includes(keyId(publicKey)))
          .map((key) => signatureBy(testVault(), key, body)),
      ),
      checkpoint.number,
    )
  }
}
