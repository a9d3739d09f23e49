/** Forges a proven audit in many ways, checks it after each forgery, and counts the forgeries that were tried and found. */
import { FORGERIES, INSERTIONS, rowsApart, WHOLE_FORGERIES } from './audit-forgery.ts'
import { type ForgedDatabase, forgedDatabase } from './forged-database.ts'
import { DAYS, provenAudit, writeAudit } from './proven-audit.ts'
import { random } from './random.ts'
import { rewriteHistory } from './rewritten-history.ts'

/** Forgeries in one check, which reads all rows: each must be named by a fault of its own. */
const AT_ONCE = 400
/** The most forgeries of a kind that needs a check of its own, because checks take long: 10,000 forgeries take minutes. */
const MOST_OF_A_KIND = 5
const MOST_REWRITTEN = 25

export interface Tally {
  /** How often each kind was tried and found. */
  readonly kinds: Readonly<Record<string, { tried: number; found: number }>>
  readonly rows: number
  readonly accused: readonly string[]
  /**
   * The forgeries that cannot be found: histories that were signed again, checked without exported checkpoints, or changed only
   * after the newest of these.
   */
  readonly unseen: { tried: number; found: number }
}

interface Noted {
  readonly kinds: Record<string, { tried: number; found: number }>
  readonly unseen: { tried: number; found: number }
}

export async function forgedAudits(
  folder: string,
  rows: number,
  forgeries: number,
  seed: number,
  postgresUrl: string | null,
): Promise<Tally> {
  const draw = random(seed)
  const { backup, file } = await provenAudit(folder, rows, seed)
  const open = (path: string): Promise<ForgedDatabase> => forgedDatabase(path, postgresUrl)
  const db = await open(file)
  const exported = await db.exported()
  const noted: Noted = { kinds: {}, unseen: { tried: 0, found: 0 } }
  const note = (kind: string, isFound: boolean) => {
    noted.kinds[kind] ??= { tried: 0, found: 0 }
    noted.kinds[kind].tried += 1
    if (isFound) noted.kinds[kind].found += 1
  }
  const intact = await db.checked(exported)
  const names = Object.keys(FORGERIES)
  // The forged rows have some groups between them.
  const atOnce = Math.max(1, Math.min(AT_ONCE, Math.floor(intact.groups / 8)))
  // An inserted row is found as a number of rows, not by the name of a group.
  for (const [kind, forge] of Object.entries(INSERTIONS))
    for (let times = 0; times < Math.min(MOST_OF_A_KIND, forgeries / 500); times++) {
      await db.run('BEGIN')
      for (const row of await rowsApart(db, 1, draw)) await forge(db, row)
      note(kind, (await db.checked(exported)).faults.includes('the audit has 1 rows more than its groups'))
      await db.run('ROLLBACK')
    }
  for (let tried = 0; tried < forgeries; ) {
    const forged: [string, string][] = []
    await db.run('BEGIN')
    for (const row of await rowsApart(db, Math.min(atOnce, forgeries - tried), draw)) {
      const kind = names[Math.floor(draw() * names.length)]
      const sign = await FORGERIES[kind](db, row, draw)
      if (sign !== null) forged.push([kind, sign])
    }
    const { faults } = await db.checked(exported)
    for (const [kind, sign] of forged)
      note(
        kind,
        faults.some((fault) => fault.includes(sign)),
      )
    tried += forged.length
    await db.run('ROLLBACK')
  }
  for (const [kind, forge] of Object.entries(WHOLE_FORGERIES))
    for (let times = 0; times < Math.min(MOST_OF_A_KIND, forgeries / 1_000); times++) {
      await db.run('BEGIN')
      await forge(db, draw)
      note(kind, (await db.checked(exported)).faults.length > 0)
      await db.run('ROLLBACK')
    }
  for (let times = 0; times < Math.min(MOST_REWRITTEN, forgeries / 100); times++) {
    await db.run('BEGIN')
    await rewritten(db, exported, draw, note, noted.unseen)
    await db.run('ROLLBACK')
  }
  const after = await db.checked(exported)
  await db.close()
  const old = await open(backup)
  const own = await old.checked([])
  note('restore an old backup', (await old.checked(exported)).faults.length > 0)
  await old.close()
  // The service goes on with the real key.
  await writeAudit(backup, rows / 10, seed + 2, DAYS / 2 - 0.1)
  const fork = await open(backup)
  const asFork = await fork.checked([])
  note('restore an old backup and go on', (await fork.checked(exported)).faults.length > 0)
  await fork.close()
  const accused = [intact, after, own, asFork].flatMap(({ faults }) => faults)
  return { ...noted, rows: intact.rows, accused }
}

/** Checks histories that were signed again: they are found only by comparison with exported checkpoints. */
async function rewritten(
  db: ForgedDatabase,
  exported: Awaited<ReturnType<ForgedDatabase['exported']>>,
  draw: () => number,
  note: (kind: string, isFound: boolean) => void,
  unseen: Noted['unseen'],
): Promise<void> {
  const isTail = draw() < 0.2
  const known = isTail ? exported.slice(0, -3) : []
  // Its groups are of later checkpoints only.
  const since = isTail ? JSON.parse(known.at(-1)!).checkpoint.at + 1 : 0
  const { kind, isSigned } = await rewriteHistory(db, draw, { isSigned: isTail || draw() < 0.7, since })
  note(kind, (await db.checked(exported)).faults.length > 0)
  if (!isSigned) return
  unseen.tried += 1
  if ((await db.checked(known)).faults.length > 0) unseen.found += 1
}
