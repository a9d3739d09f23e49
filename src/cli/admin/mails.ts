/** Commands for mails that wait in the outbox, and for notes of copies. */
import { Argument, InvalidArgumentError } from 'commander'
import { noSuchMail } from '../../errors/operator.ts'
import { OPERATOR_PAGE } from '../../limits/operation.ts'
import { instant } from '../../operator/account-json.ts'
import { NOTED, type Noted } from '../../operator/noted.ts'
import type { AdminCommand } from './command.ts'
import { eventBy } from './event.ts'

const list: AdminCommand = {
  usage: 'list',
  summary: 'List the mails that were not sent yet, the oldest first, with the last error.',
  examples: [['mail list', 'the oldest thousand']],
  async run(session) {
    const { mailJson, waitingMails } = await import('../../operator/mails.ts')
    const mails = await session.reads.run(waitingMails, { after: null, limit: OPERATOR_PAGE.most })
    await session.print(
      mails.map(mailJson),
      mails
        .map(({ attempts, createdAt, id, lastError, to }) =>
          [id, instant(createdAt), `${attempts} attempts`, to, lastError ?? ''].join('  '),
        )
        .join('\n'),
    )
  },
}

const send: AdminCommand = {
  usage: 'send',
  summary: 'Try a waiting mail again at once.',
  examples: [['mail send 019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', 'by its id in the list']],
  shape: (command) => command.addArgument(new Argument('<id>', 'the mail').argParser(readId)),
  async run(session, id: string) {
    const { sendMailNow } = await import('../../operator/mails.ts')
    if (!(await session.store.run(sendMailNow, { id, event: eventBy('mail send') }))) throw noSuchMail()
    await session.print({ id, due: true }, `Mail ${id} is due now.`)
  },
}

function readId(text: string): string {
  if (/^[0-9a-f-]{36}$/.test(text)) return text
  throw new InvalidArgumentError('It must be the id of a mail.')
}

export const note: AdminCommand = {
  usage: 'note',
  summary:
    'Note that the database or the master key was copied just now, so that the age of the copy is known.',
  examples: [
    ['note backup', 'behind pg_dump; quantd backup notes its copies itself'],
    ['note master-key-copy', 'a copy of the master key was stored'],
  ],
  shape: (command) => command.addArgument(new Argument('<what>', 'what was copied').choices(NOTED)),
  async run(session, what: Noted) {
    const { writeNote } = await import('../../operator/notes.ts')
    const { masterKeys } = await session.secrets()
    const masterKeyId = masterKeys.list()[0].id
    const { at } = await session.store.run(writeNote, { what, masterKeyId, event: eventBy('note') })
    await session.print({ what, at: instant(at) }, `Noted: ${what}, ${instant(at)}.`)
  },
}

export const mailCommands: readonly AdminCommand[] = [list, send]
