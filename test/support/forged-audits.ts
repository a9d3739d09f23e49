/** Forges a proven audit in many ways and checks each time: returns what was tried, and what was not found. */
import Database from 'better-sqlite3'
import { FORGERIES, INSERTIONS, rowsApart, WHOLE_FORGERIES } from './audit-forgery.ts'
import { checked, DAYS, exportedOf, provenAudit, random, writeAudit } from './proven-audit.ts'

/** Forgeries in one check: each must be named by a fault of its own. */
const AT_ONCE = 160

export interface Tally {
  /** By kind: how often it was tried, and how often it was found. */
  readonly kinds: Readonly<Record<string, { tried: number; found: number }>>
  readonly rows: number
  readonly accused: readonly string[]
}

export async function forgedAudits(
  folder: string,
  rows: number,
  forgeries: number,
  seed: number,
): Promise<Tally> {
  const draw = random(seed)
  const { backup, file } = await provenAudit(folder, rows, seed)
  const db = new Database(file)
  const exported = exportedOf(db)
  const kinds: Record<string, { tried: number; found: number }> = {}
  const note = (kind: string, isFound: boolean) => {
    kinds[kind] ??= { tried: 0, found: 0 }
    kinds[kind].tried += 1
    if (isFound) kinds[kind].found += 1
  }
  const intact = checked(db, exported)
  const names = Object.keys(FORGERIES)
  // Some groups between them.
  const atOnce = Math.max(1, Math.min(AT_ONCE, Math.floor(intact.groups / 8)))
  // Their fault is a number of rows, not the name of a group.
  for (const [kind, forge] of Object.entries(INSERTIONS))
    for (let times = 0; times < forgeries / 200; times++) {
      db.exec('BEGIN')
      for (const row of rowsApart(db, 1, draw)) forge(db, row)
      note(kind, checked(db, exported).faults.includes('the audit has 1 rows more than its groups'))
      db.exec('ROLLBACK')
    }
  for (let tried = 0; tried < forgeries; ) {
    const forged: [string, string][] = []
    db.exec('BEGIN')
    for (const row of rowsApart(db, Math.min(atOnce, forgeries - tried), draw)) {
      const kind = names[Math.floor(draw() * names.length)]
      const sign = FORGERIES[kind](db, row, draw)
      if (sign !== null) forged.push([kind, sign])
    }
    const { faults } = checked(db, exported)
    for (const [kind, sign] of forged)
      note(
        kind,
        faults.some((fault) => fault.includes(sign)),
      )
    tried += forged.length
    db.exec('ROLLBACK')
  }
  for (const [kind, forge] of Object.entries(WHOLE_FORGERIES)) {
    db.exec('BEGIN')
    forge(db, draw)
    note(kind, checked(db, exported).faults.length > 0)
    db.exec('ROLLBACK')
  }
  const after = checked(db, exported)
  db.close()
  const old = new Database(backup)
  const own = checked(old, [])
  note('restore an old backup', checked(old, exported).faults.length > 0)
  old.close()
  // With the real key: as the service itself would go on.
  await writeAudit(backup, rows / 10, seed + 2, DAYS / 2 - 0.1)
  const fork = new Database(backup)
  const asFork = checked(fork, [])
  note('restore an old backup and go on', checked(fork, exported).faults.length > 0)
  fork.close()
  return { kinds, rows: intact.rows, accused: [intact, after, own, asFork].flatMap(({ faults }) => faults) }
}
