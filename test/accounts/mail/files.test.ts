/** Mail as files. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noticeMail, verificationMail } from '../../../src/accounts/mail/messages.ts'
import { fileTransport, removeOldMails, SendFailure } from '../../../src/accounts/mail/transport.ts'
import { parseMessage } from '../../support/smtp-peer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = temporaryFolder('mail')

function transport(name: string, logCodes = false) {
  const lines: string[] = []
  const note = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }))
  const folder = join(root, name)
  const made = fileTransport({ folder, from: 'quantd <a@b.test>', log: { info: note, warn: note }, logCodes })
  return { ...made, folder, lines }
}

const MAIL = {
  id: '0190-ab',
  to: 'ada@example.org',
  ...verificationMail({ username: 'ada', code: '042137' }),
}

test('a mail becomes one whole message that its owner alone can read', async () => {
  const { send, folder } = transport('plain')
  await send(MAIL)
  assert.deepEqual(readdirSync(folder), ['0190-ab.eml'])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, '0190-ab.eml')).mode & 0o777, 0o600)
  const { headers, parts } = parseMessage(readFileSync(join(folder, '0190-ab.eml'), 'utf8'))
  assert.equal(headers.to, 'ada@example.org')
  assert.equal(headers.from, 'quantd <a@b.test>')
  assert.equal(headers['message-id'], '<0190-ab@b.test>')
  assert.ok(!Number.isNaN(Date.parse(headers.date)))
  assert.match(parts['text/plain'], /^042137\r$/m)
  assert.match(parts['text/html'], />042137</)
})

test('a mail written again replaces itself', async () => {
  const { send, folder } = transport('again')
  await send(MAIL)
  await send(MAIL)
  assert.deepEqual(readdirSync(folder), ['0190-ab.eml'])
})

test('a mail that is written twice at once is whole at any time', async () => {
  const { send, folder } = transport('twice')
  for (let i = 0; i < 100; i++) {
    let isWritten = false
    const writing = Promise.all([send(MAIL), send(MAIL)]).finally(() => (isWritten = true))
    while (!isWritten) {
      await new Promise((resolve) => setImmediate(resolve))
      for (const name of existsSync(folder) ? readdirSync(folder) : [])
        if (name.endsWith('.eml')) assert.match(readFileSync(join(folder, name), 'utf8'), /^To: ada/m)
    }
    await writing
  }
})

test('a mail is kept for a day, and other files for good', async () => {
  const { send, folder } = transport('old')
  const hoursAgo = (name: string, hours: number) => {
    const at = Date.now() / 1_000 - hours * 3_600
    utimesSync(join(folder, name), at, at)
  }
  for (const id of ['new', 'old']) await send({ ...MAIL, id })
  for (const name of ['notes.txt', 'cut-off.eml.part']) writeFileSync(join(folder, name), '')
  hoursAgo('new.eml', 23)
  for (const name of ['old.eml', 'cut-off.eml.part', 'notes.txt']) hoursAgo(name, 25)
  await removeOldMails(folder)
  assert.deepEqual(readdirSync(folder).sort(), ['new.eml', 'notes.txt'])
  await removeOldMails(join(root, 'no such folder'))
})

test('the log shows a code only where it was allowed to', async () => {
  const silent = transport('silent')
  await silent.send(MAIL)
  assert.ok(silent.lines.length === 1 && !silent.lines[0].includes('042137'))
  const talking = transport('talking', true)
  await talking.send(MAIL)
  assert.equal(JSON.parse(talking.lines[0]).code, '042137')
  await talking.send({ id: 'm2', to: 'a@b.test', ...noticeMail('mfaEnabled', { username: 'ada' }) })
  assert.equal('code' in JSON.parse(talking.lines[1]), false)
})

test('an id cannot lead out of the folder', async () => {
  const { send } = transport('escape')
  await assert.rejects(
    send({ ...MAIL, id: '../escaped' }),
    (error) => error instanceof SendFailure && error.trouble === 'refused',
  )
  assert.ok(!readdirSync(root).includes('escaped.eml'))
})

test('a folder that cannot be made is trouble that passes', async () => {
  writeFileSync(join(root, 'occupied'), '')
  const { send } = transport('occupied')
  await assert.rejects(send(MAIL), (error) => error instanceof SendFailure && error.trouble === 'away')
})
