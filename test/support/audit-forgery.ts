/** Forgeries of a proven audit, each with the fault by which the check must name it. */
import type Database from 'better-sqlite3'
import { ACCOUNTS } from './proven-audit.ts'

type Row = Record<string, string | number | Buffer | null>

/** @returns what the faults must mention; null: it does not apply to this row */
type Forgery = (db: Database.Database, row: Row, draw: () => number) => string | null

const nameOf = ({ group_number, stream }: Row): string => `group ${group_number} of stream ${stream} `

const insert = (db: Database.Database, row: Row): void => {
  const names = Object.keys(row)
  db.prepare(`INSERT INTO audit (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(row))
}

const update = (db: Database.Database, row: Row, name: string, value: unknown): void => {
  db.prepare(`UPDATE audit SET ${name} = ? WHERE id = ? AND at = ?`).run(value, row.id, row.at)
}

function other(value: Row[string], draw: () => number): Row[string] {
  if (typeof value === 'number') return value + 1 + Math.floor(3 * draw())
  if (value === null) return 'x'
  if (typeof value !== 'string') {
    const changed = Buffer.from(value)
    const at = Math.floor(draw() * changed.length)
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << Math.floor(8 * draw())), at)
    return changed
  }
  const at = Math.floor(draw() * value.length)
  return `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`
}

const FIELDS = [
  ...['id', 'at', 'account_id', 'key_id', 'kind', 'method', 'path', 'status', 'code', 'credits', 'calls'],
  ...[
    'ip',
    'request_id',
    'duration_ms',
    'replayed',
    'detail',
    'stream',
    'group_number',
    'content',
    'address',
  ],
]

const edits = Object.fromEntries(
  FIELDS.map((name): [string, Forgery] => [
    `edit ${name}`,
    (db, row, draw) => {
      const isBytes = (name === 'content' || name === 'address') && row[name] === null
      update(db, row, name, isBytes ? Buffer.alloc(32, 1) : other(row[name] ?? null, draw))
      return nameOf(row)
    },
  ]),
)

/** Each concerns one row or its group. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  ...edits,
  delete(db, row) {
    db.prepare('DELETE FROM audit WHERE id = ? AND at = ?').run(row.id, row.at)
    return nameOf(row)
  },
  duplicate(db, row) {
    insert(db, row)
    return nameOf(row)
  },
  'insert into a group'(db, row) {
    insert(db, { ...row, id: crypto.randomUUID() })
    return nameOf(row)
  },
  'move to another account'(db, row) {
    update(db, row, 'account_id', (Number(row.account_id) % ACCOUNTS) + 1)
    return nameOf(row)
  },
  'move to another group'(db, row) {
    update(db, row, 'group_number', Number(row.group_number) + 1)
    return nameOf(row)
  },
  reorder(db, row) {
    const next = db
      .prepare('SELECT id FROM audit WHERE at = ? AND stream = ? AND group_number = ? AND id <> ?')
      .get(row.at, row.stream, row.group_number, row.id) as { id: string } | undefined
    if (next === undefined) return null
    const swap = db.prepare('UPDATE audit SET id = ? WHERE id = ? AND at = ?')
    swap.run('held', row.id, row.at)
    swap.run(row.id, next.id, row.at)
    swap.run(next.id, 'held', row.at)
    return nameOf(row)
  },
  'erase the address without its digest'(db, row) {
    update(db, row, 'ip', '')
    return nameOf(row)
  },
  'edit the link of a group'(db, row, draw) {
    const link = db
      .prepare('SELECT link FROM audit_groups WHERE stream = ? AND number = ?')
      .get(row.stream, row.group_number) as { link: Buffer }
    db.prepare('UPDATE audit_groups SET link = ? WHERE stream = ? AND number = ?').run(
      other(link.link, draw),
      row.stream,
      row.group_number,
    )
    return nameOf(row)
  },
  'edit the time of a group'(db, row) {
    db.prepare('UPDATE audit_groups SET at = at + 1 WHERE stream = ? AND number = ?').run(
      row.stream,
      row.group_number,
    )
    return nameOf(row)
  },
  'delete a group with its rows'(db, row) {
    const where = 'stream = ? AND'
    db.prepare(`DELETE FROM audit WHERE ${where} group_number = ?`).run(row.stream, row.group_number)
    db.prepare(`DELETE FROM audit_groups WHERE ${where} number = ?`).run(row.stream, row.group_number)
    return `stream ${row.stream} `
  },
}

/** Rows that belong to no group. */
export const INSERTIONS: Readonly<Record<string, (db: Database.Database, row: Row) => void>> = {
  'insert a computation without a group': (db, row) =>
    insert(db, { ...row, id: crypto.randomUUID(), stream: null, group_number: null }),
  'insert an event of an earlier time': (db, row) =>
    insert(db, { ...row, id: crypto.randomUUID(), stream: null, group_number: null, kind: 'event', at: 1 }),
  'insert a row of a stream that is none': (db, row) =>
    insert(db, { ...row, id: crypto.randomUUID(), stream: 999_999 }),
}

/** Rows of different groups which are not neighbours, so that each forgery has faults of its own. */
export function rowsApart(db: Database.Database, count: number, draw: () => number): Row[] {
  const groups = db
    .prepare('SELECT stream, number, at FROM audit_groups ORDER BY stream, number')
    .all() as Row[]
  const apart = Math.floor(groups.length / count)
  const rows = db.prepare('SELECT * FROM audit WHERE at = ? AND stream = ? AND group_number = ?')
  return Array.from({ length: count }, (_, n) => {
    const { at, number, stream } = groups[n * apart + Math.floor(draw() * Math.max(1, apart - 3))]
    const own = rows.all(at, stream, number) as Row[]
    return own[Math.floor(draw() * own.length)]
  })
}

/** Forgeries of the whole: each must cause some fault against what was exported. */
export const WHOLE_FORGERIES: Readonly<Record<string, (db: Database.Database, draw: () => number) => void>> =
  {
    'drop a day'(db, draw) {
      const [{ from, to }] = db
        .prepare('SELECT min(at) AS "from", max(at) AS "to" FROM audit')
        .all() as Record<string, number>[]
      const day = 86_400_000 * Math.floor((from! + draw() * (to! - from!)) / 86_400_000)
      db.prepare('DELETE FROM audit WHERE at >= ? AND at < ?').run(day, day + 86_400_000)
    },
    'drop a day with its groups'(db, draw) {
      WHOLE_FORGERIES['drop a day'](db, draw)
      db.exec('DELETE FROM audit_groups WHERE at NOT IN (SELECT at FROM audit)')
    },
    'drop a day and announce it'(db, draw) {
      WHOLE_FORGERIES['drop a day'](db, draw)
      db.exec(`UPDATE checkpoints SET body = replace(body, '"kept_from":0', '"kept_from":9999999999999')`)
    },
    'cut the tail of a stream'(db, draw) {
      const { stream, number } = db
        .prepare(
          'SELECT stream, max(number) AS number FROM audit_groups GROUP BY stream ORDER BY number DESC LIMIT 1',
        )
        .get() as Row
      const from = Math.max(1, Number(number) - Math.floor(20 * draw()))
      db.prepare('DELETE FROM audit WHERE stream = ? AND group_number >= ?').run(stream, from)
      db.prepare('DELETE FROM audit_groups WHERE stream = ? AND number >= ?').run(stream, from)
    },
    'cut the last checkpoints, with all that they sign'(db, draw) {
      const { newest } = db.prepare('SELECT max(number) AS newest FROM checkpoints').get() as {
        newest: number
      }
      const last = newest - 1 - Math.floor(3 * draw())
      const kept = db.prepare('SELECT body FROM checkpoints WHERE number <= ?').all(last) as {
        body: string
      }[]
      const heads = new Map<number, number>()
      for (const { body } of kept)
        for (const { stream, last } of JSON.parse(body).streams) heads.set(stream, last)
      db.prepare('DELETE FROM checkpoints WHERE number > ?').run(last)
      for (const { id } of db.prepare('SELECT id FROM audit_streams').all() as { id: number }[]) {
        const head = heads.get(id) ?? 0
        db.prepare('DELETE FROM audit WHERE stream = ? AND group_number > ?').run(id, head)
        db.prepare('DELETE FROM audit_groups WHERE stream = ? AND number > ?').run(id, head)
        db.prepare('UPDATE audit_streams SET signed = ? WHERE id = ?').run(head, id)
      }
    },
    'delete a checkpoint'(db) {
      db.exec('DELETE FROM checkpoints WHERE number = 3')
    },
    'edit a checkpoint'(db, draw) {
      const { body } = db.prepare('SELECT body FROM checkpoints WHERE number = 2').get() as { body: string }
      const at = Math.floor(draw() * body.length)
      const changed = `${body.slice(0, at)}${body[at] === '1' ? '2' : '1'}${body.slice(at + 1)}`
      db.prepare('UPDATE checkpoints SET body = ? WHERE number = 2').run(changed)
    },
    'edit a signature'(db) {
      db.exec(
        `UPDATE checkpoints SET signatures = replace(signatures, '"signature":"', '"signature":"A') WHERE number = 2`,
      )
    },
    'put another key in the place of the real one'(db) {
      db.exec(`UPDATE signing_keys SET public_key = 'ERERERERERERERERERERERERERERERERERERERERERE'`)
    },
    'edit the version of a stream'(db) {
      db.exec(`UPDATE audit_streams SET version = '9.9.9' WHERE id = 1`)
    },
    'edit the time of a stream'(db) {
      db.exec('UPDATE audit_streams SET opened_at = opened_at + 1 WHERE id = 1')
    },
    'delete a stream'(db) {
      db.exec('DELETE FROM audit_streams WHERE id = 2')
    },
    'count a stream as signed further'(db) {
      db.exec('UPDATE audit_streams SET signed = signed + 1 WHERE id = 1')
    },
  }
