/** A release pins base images: skopeo asks a registry on the loopback interface, since no other can be reached from here. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { IMAGE_FILES, pinned } from '../../../scripts/image-digests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { program, root } from './command.ts'

const INDEX = '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}'
const digest = `sha256:${createHash('sha256').update(INDEX).digest('hex')}`

const folder = temporaryFolder('images')
const registry = createServer((request, reply) => {
  if (request.url === '/v2/') reply.end('{}')
  else if (request.url === '/v2/library/node/manifests/24')
    reply.setHeader('Content-Type', 'application/vnd.oci.image.index.v1+json').end(INDEX)
  else reply.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}')
})
let host: string

before(async () => {
  program('skopeo')
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  host = `127.0.0.1:${(registry.address() as AddressInfo).port}`
  mkdirSync(join(folder, '.config/containers'), { recursive: true })
  writeFileSync(
    join(folder, '.config/containers/registries.conf'),
    `[[registry]]\nlocation = "${host}"\ninsecure = true\n`,
  )
})

after(() => registry.close())

/** The text that the release makes of another, in a process of its own: the registry answers in this one. */
const released = async (text: string, env = {}) => {
  const module = join(root, 'scripts/image-digests.ts')
  const code = `const { pinned } = await import(${JSON.stringify(module)}); process.stdout.write(pinned(${JSON.stringify(text)}))`
  const settings = { ...process.env, HOME: folder, ...env }
  return await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env: settings })
}

describe('the base images', () => {
  it('are pinned to the digest that the registry has for the tag, also where an earlier release has pinned them', async () => {
    const tag = `${host}/library/node:24`
    for (const old of ['', `@sha256:${'0'.repeat(64)}`]) {
      const { stdout } = await released(`ARG BUILD=${tag}${old}\nFROM x\n  image: ${tag}${old}\n`)
      assert.equal(stdout, `ARG BUILD=${tag}@${digest}\nFROM x\n  image: ${tag}@${digest}\n`)
    }
  })

  it('are refused with the image and the reason, where the registry has no such tag or skopeo is missing', async () => {
    const gone = released(`ARG BASE=${host}/library/none:1\n`)
    await assert.rejects(gone, /the digest of \S+\/library\/none:1 cannot be looked up .*manifest unknown/)
    const without = released(`ARG BASE=${host}/library/node:24\n`, { PATH: folder })
    await assert.rejects(without, /cannot be looked up \(skopeo .*\): skopeo is missing/)
  })

  it('are all those that the image, the compose file and the workflow name', () => {
    const named = IMAGE_FILES.flatMap((path) => {
      const images: string[] = []
      pinned(readFileSync(join(root, path), 'utf8'), (image) => {
        images.push(image)
        return digest
      })
      return images.map((image) => image.replace(/:[^/]*$/, ''))
    })
    const hub = (name: string) => `docker.io/${name}`
    assert.deepEqual(named, [
      ...[hub('library/node'), 'gcr.io/distroless/cc-debian12'],
      ...['library/caddy', 'library/postgres', 'axllent/mailpit', 'prom/prometheus', 'prom/alertmanager'].map(
        hub,
      ),
      hub('grafana/grafana'),
      hub('library/node'),
    ])
  })
})
