/** A self-signed certificate for the names that the tests of the proxies use. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, program } from './command.ts'

export interface Certificate {
  readonly certificateFile: string
  readonly keyFile: string
  /** Both in one file, as HAProxy reads them. */
  readonly bothFile: string
  /** The certificate, which clients are to trust. */
  readonly ca: string
}

export function makeCertificate(folder: string): Certificate {
  const [certificateFile, keyFile, bothFile] = ['certificate.pem', 'key.pem', 'both.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  command(program('openssl'), [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', keyFile, '-out', certificateFile, '-subj', '/CN=quantd.example.org'],
    ...['-addext', 'subjectAltName=DNS:quantd.example.org,IP:127.0.0.1'],
  ])
  const ca = readFileSync(certificateFile, 'utf8')
  writeFileSync(bothFile, ca + readFileSync(keyFile, 'utf8'))
  return { certificateFile, keyFile, bothFile, ca }
}
