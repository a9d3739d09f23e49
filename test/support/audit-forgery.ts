/** Forgeries of a proven audit, each with the fault by which the check must name it. */

import { checkpointHash } from '../../src/ledger/receipts/checkpoint.ts'
import { keyId, newSigningKey, signatureBy } from '../../src/ledger/receipts/signing-keys.ts'
import { canonical } from '../../src/wire/receipt-check/receipt-values.ts'
import type { ForgedDatabase, Row } from './forged-database.ts'
import { ACCOUNTS, testVault } from './proven-audit.ts'

/** @returns the text that the faults must mention, or null where the forgery does not apply to this row */
type Forgery = (db: ForgedDatabase, row: Row, draw: () => number) => Promise<string | null>

const nameOf = ({ group_number, stream }: Row): string => `group ${group_number} of stream ${stream} `

const insert = (db: ForgedDatabase, row: Row): Promise<void> => {
  const names = Object.keys(row)
  return db.run(`INSERT INTO audit (${names}) VALUES (${names.map(() => '?')})`, ...Object.values(row))
}

const update = (db: ForgedDatabase, row: Row, name: string, value: unknown): Promise<void> =>
  db.run(`UPDATE audit SET ${name} = ? WHERE id = ? AND at = ?`, value, row.id, row.at)

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

/** Values that replace null in columns that take no text. */
const FORGED: Readonly<Record<string, unknown>> = {
  content: Buffer.alloc(32, 1),
  address: Buffer.alloc(32, 1),
  account_id: 7,
  key_id: 7,
}

const edits = Object.fromEntries(
  FIELDS.map((name): [string, Forgery] => [
    `edit ${name}`,
    async (db, row, draw) => {
      const given = row[name] ?? null
      const value = given === null && name in FORGED ? FORGED[name] : other(given, draw)
      await update(db, row, name, value)
      return nameOf(row)
    },
  ]),
)

/** Forgeries of one row or its group. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  ...edits,
  async delete(db, row) {
    await db.run('DELETE FROM audit WHERE id = ? AND at = ?', row.id, row.at)
    return nameOf(row)
  },
  async duplicate(db, row) {
    await insert(db, row)
    return nameOf(row)
  },
  async 'insert into a group'(db, row) {
    await insert(db, { ...row, id: crypto.randomUUID() })
    return nameOf(row)
  },
  async 'move to another account'(db, row) {
    await update(db, row, 'account_id', (Number(row.account_id) % ACCOUNTS) + 1)
    return nameOf(row)
  },
  async 'move to another group'(db, row) {
    await update(db, row, 'group_number', Number(row.group_number) + 1)
    return nameOf(row)
  },
  async reorder(db, row) {
    const where = 'at = ? AND stream = ? AND group_number = ? AND id <> ?'
    const others = await db.all(
      `SELECT id FROM audit WHERE ${where}`,
      row.at,
      row.stream,
      row.group_number,
      row.id,
    )
    const [next] = others
    if (next === undefined) return null
    await update(db, row, 'id', 'held')
    await update(db, { ...row, id: next.id }, 'id', row.id)
    await update(db, { ...row, id: 'held' }, 'id', next.id)
    return nameOf(row)
  },
  async 'keep a field as bytes, or null as a text'(db, { group_number, stream, ...fields }, draw) {
    // PostgreSQL refuses it.
    if (!db.isSqlite) return null
    const names = Object.keys(fields).filter((name) => !['content', 'address'].includes(name))
    const name = names[Math.floor(draw() * names.length)]
    await update(db, fields, name, Buffer.from(String(fields[name])))
    if (fields[name] === null) await update(db, fields, name, 'null')
    return nameOf({ group_number, stream })
  },
  async 'move a byte from the salt to the address, or back'(db, row, draw) {
    if (row.ip === '') return null
    const ofAccount = await db.all('SELECT salt FROM audit_salts WHERE account_id = ?', row.account_id)
    const salt = (row.address ?? ofAccount[0].salt) as Buffer
    const bytes = Buffer.concat([salt, Buffer.from(String(row.ip))])
    const last = salt.readUInt8(salt.length - 1)
    const length = salt.length + (draw() < 0.5 && last > 0 && last < 0x80 ? -1 : 1)
    await update(db, row, 'address', bytes.subarray(0, length))
    await update(db, row, 'ip', bytes.toString('utf8', length))
    return nameOf(row)
  },
  async 'erase the address without its digest'(db, row) {
    if (row.ip === '') return null
    await update(db, row, 'ip', '')
    return nameOf(row)
  },
  async 'edit the link of a group'(db, row, draw) {
    const where = 'stream = ? AND number = ?'
    const [{ link }] = await db.all(
      `SELECT link FROM audit_groups WHERE ${where}`,
      row.stream,
      row.group_number,
    )
    await db.run(
      'UPDATE audit_groups SET link = ? WHERE stream = ? AND number = ?',
      other(link, draw),
      row.stream,
      row.group_number,
    )
    return nameOf(row)
  },
  async 'edit the time of a group'(db, row) {
    await db.run(
      'UPDATE audit_groups SET at = at + 1 WHERE stream = ? AND number = ?',
      row.stream,
      row.group_number,
    )
    return nameOf(row)
  },
  async 'delete a group with its rows'(db, row) {
    const where = 'stream = ? AND'
    await db.run(`DELETE FROM audit WHERE ${where} group_number = ?`, row.stream, row.group_number)
    await db.run(`DELETE FROM audit_groups WHERE ${where} number = ?`, row.stream, row.group_number)
    return `stream ${row.stream} `
  },
}

/** Forgeries that insert a row which belongs to no group. */
export const INSERTIONS: Readonly<Record<string, (db: ForgedDatabase, row: Row) => Promise<void>>> = {
  'insert a computation without a group': (db, row) =>
    insert(db, { ...row, id: crypto.randomUUID(), stream: null, group_number: null }),
  async 'insert an event of an earlier time'(db, row) {
    const [{ at }] = await db.all('SELECT min(at) AS at FROM audit')
    await insert(db, { ...row, id: crypto.randomUUID(), stream: null, group_number: null, kind: 'event', at })
  },
  'insert an event of a time that no clock shows': (db, row) =>
    insert(db, {
      ...row,
      id: crypto.randomUUID(),
      stream: null,
      group_number: null,
      kind: 'event',
      at: 2 ** 60,
    }),
  'insert a row of a stream that is none': (db, row) =>
    insert(db, { ...row, id: crypto.randomUUID(), stream: 999_999 }),
}

/** Rows of different groups which are not neighbours, so that each forgery has faults of its own. */
export async function rowsApart(db: ForgedDatabase, count: number, draw: () => number): Promise<Row[]> {
  const groups = await db.all(
    'SELECT stream, number, at FROM audit_groups WHERE at >= (SELECT min(at) FROM audit) ORDER BY stream, number',
  )
  const apart = Math.floor(groups.length / count)
  const rows: Row[] = []
  for (let n = 0; n < count; n++) {
    const { at, number, stream } = groups[n * apart + Math.floor(draw() * Math.max(1, apart - 3))]
    const where = 'at = ? AND stream = ? AND group_number = ?'
    const own = await db.all(`SELECT * FROM audit WHERE ${where} ORDER BY id`, at, stream, number)
    rows.push(own[Math.floor(draw() * own.length)])
  }
  return rows
}

const someOf =
  (table: string, column: string, where = '') =>
  async (db: ForgedDatabase, draw: () => number) => {
    const found = await db.all(`SELECT ${column} FROM ${table} ${where} ORDER BY ${column}`)
    return Number(found[Math.floor(draw() * found.length)][column])
  }
const someCheckpoint = someOf('checkpoints', 'number')
const someStream = someOf('audit_streams', 'id')
/** A stream with the rows of its first group: where retention has removed them, the beginning of the stream is not proven. */
const someWholeStream = someOf('audit', 'stream', 'WHERE group_number = 1')

/** Forgeries of the whole audit: compared with the exported checkpoints, each must cause some fault. */
export const WHOLE_FORGERIES: Readonly<
  Record<string, (db: ForgedDatabase, draw: () => number) => Promise<void>>
> = {
  async 'drop a day'(db, draw) {
    const [{ from, to }] = await db.all('SELECT min(at) AS "from", max(at) AS "to" FROM audit')
    const day = 86_400_000 * Math.floor((Number(from) + draw() * (Number(to) - Number(from))) / 86_400_000)
    await db.run('DELETE FROM audit WHERE at >= ? AND at < ?', day, day + 86_400_000)
  },
  async 'drop a day with its groups'(db, draw) {
    await WHOLE_FORGERIES['drop a day'](db, draw)
    await db.run('DELETE FROM audit_groups WHERE at NOT IN (SELECT at FROM audit)')
  },
  async 'drop a day and announce it'(db, draw) {
    await WHOLE_FORGERIES['drop a day'](db, draw)
    await db.run(`UPDATE checkpoints SET body = replace(body, '"kept_from":0', '"kept_from":9999999999999')`)
  },
  async 'cut the tail of a stream'(db, draw) {
    const [{ number, stream }] = await db.all(
      'SELECT stream, max(number) AS number FROM audit_groups GROUP BY stream ORDER BY number DESC LIMIT 1',
    )
    const from = Math.max(1, Number(number) - Math.floor(20 * draw()))
    await db.run('DELETE FROM audit WHERE stream = ? AND group_number >= ?', stream, from)
    await db.run('DELETE FROM audit_groups WHERE stream = ? AND number >= ?', stream, from)
  },
  async 'cut the last checkpoints, with all that they sign'(db, draw) {
    const [{ newest }] = await db.all('SELECT max(number) AS newest FROM checkpoints')
    const last = Number(newest) - 1 - Math.floor(3 * draw())
    const kept = await db.all('SELECT body FROM checkpoints WHERE number <= ?', last)
    const heads = new Map<number, number>()
    for (const { body } of kept)
      for (const { stream, last } of JSON.parse(String(body)).streams) heads.set(stream, last)
    await db.run('DELETE FROM checkpoints WHERE number > ?', last)
    for (const { id } of await db.all('SELECT id FROM audit_streams')) {
      const head = heads.get(Number(id)) ?? 0
      await db.run('DELETE FROM audit WHERE stream = ? AND group_number > ?', id, head)
      await db.run('DELETE FROM audit_groups WHERE stream = ? AND number > ?', id, head)
      await db.run('UPDATE audit_streams SET signed = ? WHERE id = ?', head, id)
    }
  },
  async 'delete a checkpoint'(db, draw) {
    await db.run('DELETE FROM checkpoints WHERE number = ?', await someCheckpoint(db, draw))
  },
  async 'edit a checkpoint'(db, draw) {
    const number = await someCheckpoint(db, draw)
    const [found] = await db.all('SELECT body FROM checkpoints WHERE number = ?', number)
    const body = String(found.body)
    const at = Math.floor(draw() * body.length)
    const changed = `${body.slice(0, at)}${body[at] === '1' ? '2' : '1'}${body.slice(at + 1)}`
    await db.run('UPDATE checkpoints SET body = ? WHERE number = ?', changed, number)
  },
  async 'edit the time by which a checkpoint is found'(db, draw) {
    await db.run('UPDATE checkpoints SET at = at + 1 WHERE number = ?', await someCheckpoint(db, draw))
  },
  async 'edit a signature'(db, draw) {
    await db.run(
      `UPDATE checkpoints SET signatures = replace(signatures, '"signature":"', '"signature":"A') WHERE number = ?`,
      await someCheckpoint(db, draw),
    )
  },
  async 'put another key in the place of the real one'(db) {
    await db.run(`UPDATE signing_keys SET public_key = 'ERERERERERERERERERERERERERERERERERERERERERE'`)
  },
  async 'sign a further checkpoint by a key of one’s own'(db) {
    const { masterKeyId, publicKey, sealed, uid } = newSigningKey(testVault())
    const last = JSON.parse((await db.exported()).at(-1)!).checkpoint
    const { at, kept_from, proven_from, service } = last
    const facts = { at, kept_from, proven_from, service, streams: [], number: last.number + 1 }
    const own = canonical({ ...facts, key: keyId(publicKey), previous: checkpointHash(last) })
    const signature = signatureBy(testVault(), { masterKeyId, publicKey, sealed, uid }, own)
    await db.run(
      'INSERT INTO signing_keys (uid, public_key, created_at, master_key_id, sealed) VALUES (?, ?, 1, ?, ?)',
      ...[uid, publicKey, masterKeyId, sealed],
    )
    await db.run(
      'INSERT INTO checkpoints (number, at, body, signatures) VALUES (?, ?, ?, ?)',
      ...[last.number + 1, at, own, JSON.stringify([signature])],
    )
  },
  async 'edit the version of a stream'(db, draw) {
    await db.run(`UPDATE audit_streams SET version = '9.9.9' WHERE id = ?`, await someWholeStream(db, draw))
  },
  async 'edit the time of a stream'(db, draw) {
    await db.run(
      'UPDATE audit_streams SET opened_at = opened_at + 1 WHERE id = ?',
      await someWholeStream(db, draw),
    )
  },
  async 'edit the salt of an account'(db) {
    await db.run('UPDATE audit_salts SET salt = ? WHERE account_id = 1', Buffer.alloc(16, 1))
  },
  async 'delete the salt of an account'(db) {
    await db.run('DELETE FROM audit_salts WHERE account_id = 1')
  },
  async 'delete a stream'(db, draw) {
    await db.run('DELETE FROM audit_streams WHERE id = ?', await someStream(db, draw))
  },
  async 'count a stream as signed further'(db, draw) {
    await db.run('UPDATE audit_streams SET signed = signed + 1 WHERE id = ?', await someStream(db, draw))
  },
}
