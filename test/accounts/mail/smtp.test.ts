/** Mail through a real SMTP server over a socket. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { noticeMail, verificationMail } from '../../../src/accounts/mail/messages.ts'
import {
  type OutgoingMail,
  SendFailure,
  type SendTrouble,
  serverOf,
  smtpTransport,
} from '../../../src/accounts/mail/transport.ts'
import { certificate, parseMessage, smtpPeer } from '../../support/smtp-peer.ts'
import { timeTaken } from '../../support/time-taken.ts'

const FROM = 'quantd <noreply@quantd.test>'
const endings: (() => unknown)[] = []
after(() => Promise.all(endings.map((end) => end())))

const mailTo = (to: string, id = 'mail-1'): OutgoingMail => ({
  id,
  to,
  ...verificationMail({ username: 'Zoë <b>', code: '042137' }),
})

async function peer(options?: SMTPServerOptions) {
  const server = await smtpPeer(options)
  endings.push(server.close)
  return server
}

function transport(url: string, over: { connectTimeoutMs?: number; sendTimeoutMs?: number } = {}) {
  const made = smtpTransport({ url, from: FROM, ...over })
  endings.push(made.close)
  return made
}

const trouble =
  (kind: SendTrouble, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof SendFailure, String(error))
    assert.equal(error.trouble, kind, error.message)
    assert.match(error.message, message)
    return true
  }

const answer = (responseCode: number) => Object.assign(new Error('said the server'), { responseCode })

const withUser: SMTPServerOptions = {
  authOptional: false,
  onAuth: (auth, _session, done) =>
    auth.username === 'us er' && auth.password === 'p@ss:/'
      ? done(null, { user: auth.username })
      : done(answer(535)),
}
const USER = 'us%20er:p%40ss%3A%2F@'

test('a mail arrives with its addresses, subject, both bodies and an id made from its own', async () => {
  const server = await peer()
  await transport(server.url).send(mailTo('ada@example.org', '0190-ab'))
  const [delivery] = server.deliveries
  assert.deepEqual([delivery.from, delivery.to], ['noreply@quantd.test', ['ada@example.org']])
  const { headers, parts } = parseMessage(delivery.source)
  assert.equal(headers.from, 'quantd <noreply@quantd.test>')
  assert.equal(headers.to, 'ada@example.org')
  assert.equal(headers.subject, 'Your verification code')
  assert.equal(headers['message-id'], '<0190-ab@quantd.test>')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  assert.match(parts['text/plain'], /Zoë <b>.*\r\n042137\r\n/s)
  assert.match(parts['text/html'], /Zoë &#60;b&#62;.*>042137</s)
  assert.ok(delivery.source.includes('042137'), 'the code can be read in the source')
})

test('STARTTLS is used where the server offers it, whoever signed its certificate', async () => {
  const server = await peer({ ...certificate, disabledCommands: ['AUTH'] })
  await transport(server.url).send(mailTo('ada@example.org'))
  assert.equal(server.deliveries[0].secure, true)
})

test('STARTTLS and a password together', async () => {
  const server = await peer({ ...certificate, ...withUser, disabledCommands: [] })
  await transport(server.url.replace('//', `//${USER}`)).send(mailTo('ada@example.org'))
  const { secure, user } = server.deliveries[0]
  assert.deepEqual([secure, user], [true, 'us er'])
})

test('TLS from the first byte', async () => {
  const server = await peer({ ...certificate, secure: true, disabledCommands: ['AUTH'] })
  await transport(server.url.replace('smtp:', 'smtps:')).send(mailTo('ada@example.org'))
  assert.equal(server.deliveries[0].secure, true)
})

test('a certificate that must be right and is not stops the mail', async () => {
  const server = await peer({ ...certificate, disabledCommands: ['AUTH'] })
  const strict = transport(`${server.url}?requireTLS=true&tls.rejectUnauthorized=true`)
  await assert.rejects(strict.send(mailTo('ada@example.org')), trouble('away', /certificate/))
  assert.equal(server.deliveries.length, 0)
})

test('required STARTTLS that the server lacks stops the mail', async () => {
  const server = await peer()
  const strict = transport(`${server.url}?requireTLS=true`)
  await assert.rejects(strict.send(mailTo('ada@example.org')), trouble('away'))
  assert.equal(server.deliveries.length, 0)
})

test('a wrong password is trouble with the server, not with the mail', async () => {
  const server = await peer({ ...certificate, ...withUser, disabledCommands: [] })
  const wrong = transport(server.url.replace('//', '//us%20er:nonsense@'))
  await assert.rejects(wrong.send(mailTo('ada@example.org')), trouble('away'))
})

test('no server, and a server that breaks off, are trouble with the server', async () => {
  const server = await smtpPeer()
  await server.close()
  await assert.rejects(transport(server.url).send(mailTo('ada@example.org')), trouble('away', /ECONNREFUSED/))
  const rude = await tcp((socket) => socket.destroy())
  await assert.rejects(transport(rude).send(mailTo('ada@example.org')), trouble('away'))
})

test('answers about a recipient or a message are told apart from trouble with the server', async () => {
  const server = await peer({
    onRcptTo: ({ address }, _session, done) => {
      const code = Number(/^rcpt(\d+)@/.exec(address)?.[1])
      done(code ? answer(code) : null)
    },
    onData: (stream, session, done) => {
      const code = Number(/^data(\d+)@/.exec(session.envelope.rcptTo[0].address)?.[1])
      stream.resume().on('end', () => done(code ? answer(code) : null))
    },
  })
  const sender = transport(server.url)
  const cases: [string, SendTrouble][] = [
    ['rcpt550', 'refused'],
    ['rcpt450', 'deferred'],
    ['data554', 'refused'],
    ['data451', 'deferred'],
    ['data421', 'away'],
  ]
  for (const [name, kind] of cases)
    await assert.rejects(sender.send(mailTo(`${name}@example.org`)), trouble(kind, /said the server/), name)
  await sender.send(mailTo('good@example.org'))
})

test('a refused sender address gives no mail up', async () => {
  const server = await peer({ onMailFrom: (_address, _session, done) => done(answer(550)) })
  await assert.rejects(transport(server.url).send(mailTo('ada@example.org')), trouble('deferred'))
})

test('a server that says nothing, or trickles, is left after the time set', async () => {
  const silent = await tcp(() => undefined)
  const impatient = transport(silent, { connectTimeoutMs: 150 })
  const left = await timeTaken(() =>
    assert.rejects(impatient.send(mailTo('ada@example.org')), trouble('away')),
  )
  // Without the limit the client would wait 30 s for a greeting.
  assert.ok(left.ms < 20_000, `${left.ms} ms`)
  const trickling = await tcp((socket) => {
    const timer = setInterval(() => socket.write('220-still here\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  await assert.rejects(
    transport(trickling, { connectTimeoutMs: 5_000, sendTimeoutMs: 200 }).send(mailTo('ada@example.org')),
    trouble('away', /longer than 200 ms/),
  )
})

test('an address that is more than one address, or a header, is refused before anything is sent', async () => {
  const server = await peer()
  const sender = transport(server.url)
  const hostile = [
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\nSubject: x',
    'a@example.org>\r\nRCPT TO:<b@example.org',
    'A <a@example.org>',
    'a b@example.org',
    'list:a@example.org;',
    '"a@x"@example.org',
    'a\u0000@example.org',
    'a@example.org\u2028',
    'example.org',
    '',
  ]
  for (const address of hostile)
    await assert.rejects(sender.send(mailTo(address)), trouble('refused'), JSON.stringify(address))
  assert.equal(server.deliveries.length, 0)
})

test('a subject with line ends stays one header', async () => {
  const server = await peer()
  const mail = { ...mailTo('ada@example.org'), subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nbody' }
  await transport(server.url).send(mail)
  const { headers } = parseMessage(server.deliveries[0].source)
  assert.equal(headers.bcc, undefined)
  assert.deepEqual(server.deliveries[0].to, ['ada@example.org'])
})

test('an address outside ASCII arrives', async () => {
  const server = await peer()
  await transport(server.url).send({
    id: 'm',
    to: 'zoë@exämple.org',
    ...noticeMail('mfaEnabled', { username: 'Zoë' }),
  })
  assert.equal(server.deliveries.length, 1)
})

test('one connection serves many mails, and no more than four are open', async () => {
  let open = 0
  let most = 0
  let made = 0
  const server = await peer({
    onConnect: (_session, done) => {
      made++
      most = Math.max(most, ++open)
      done()
    },
    onClose: () => {
      open--
    },
  })
  const sender = transport(server.url)
  await Promise.all(Array.from({ length: 40 }, (_, n) => sender.send(mailTo(`a${n}@example.org`, `m-${n}`))))
  assert.equal(server.deliveries.length, 40)
  assert.ok(most <= 4 && made <= 4, `${made} made, ${most} at once`)
})

test('over the network a password demands TLS and a certificate that is right; the URL can say otherwise', () => {
  const policy = (url: string) => {
    const { requireTLS, tls, port } = serverOf(url)
    return [requireTLS, tls.rejectUnauthorized, port]
  }
  assert.deepEqual(policy('smtp://mail.test'), [false, false, 587])
  assert.deepEqual(policy('smtp://u:p@mail.test:25'), [true, true, 25])
  assert.deepEqual(policy('smtp://u:p@mail.test?requireTLS=false'), [false, false, 587])
  assert.deepEqual(policy('smtp://u:p@[::1]'), [false, false, 587])
  assert.deepEqual(policy('smtps://mail.test'), [false, true, 465])
  assert.deepEqual(policy('smtps://mail.test?tls.rejectUnauthorized=false'), [false, false, 465])
  assert.equal(serverOf('smtp://[::1]:2525').host, '::1')
  assert.throws(() => serverOf('smtp://mail.test?pool=true'), /SMTP_URL has the unknown option "pool"/)
  assert.throws(() => serverOf('smtp://mail.test?requireTLS=1'), /must be true or false/)
})

async function tcp(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
