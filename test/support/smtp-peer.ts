/** A real SMTP server on a loopback port, and the messages that it accepted. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Delivery {
  readonly from: string
  readonly to: readonly string[]
  readonly source: string
  readonly secure: boolean
  readonly user: string | null
}

const fixture = (name: string) => readFileSync(new URL(`certificate/${name}`, import.meta.url))
export const certificate = { key: fixture('key.pem'), cert: fixture('cert.pem') }

/** Starts the server, by default without STARTTLS and authentication. */
export async function smtpPeer(options: SMTPServerOptions = {}, port = 0) {
  const deliveries: Delivery[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        deliveries.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map((to) => to.address),
          source: Buffer.concat(chunks).toString('utf8'),
          secure: session.secure,
          user: session.user ?? null,
        })
        done()
      })
    },
    ...options,
  })
  const listening = new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  await listening
  const address = server.server.address() as AddressInfo
  return {
    deliveries,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/** Reads a message as a mail program would: headers unfolded, and each part decoded by its media type. */
export function parseMessage(source: string) {
  const [head, ...rest] = source.split('\r\n\r\n')
  const headers = parseHeaders(head)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'])?.[1]
  const body = rest.join('\r\n\r\n')
  const parts: Record<string, string> = {}
  for (const piece of boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1)) {
    const [partHead, ...partBody] = piece.replace(/^\r\n/, '').split('\r\n\r\n')
    const partHeaders = parseHeaders(partHead)
    const text = partBody.join('\r\n\r\n')
    const type = partHeaders['content-type'].split(';')[0]
    parts[type] = partHeaders['content-transfer-encoding'] === 'quoted-printable' ? unquote(text) : text
  }
  return { headers, parts }
}

function parseHeaders(text: string): Record<string, string> {
  const lines = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

const unquote = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
