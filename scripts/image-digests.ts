/**
 * Pins the registry images that deploy/ and the workflow use to the digests that the registries have for their tags.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** The files that name images: by tag until the first release, then by tag and digest. */
export const IMAGE_FILES = ['deploy/Dockerfile', 'deploy/compose.yaml', '.github/workflows/ci.yml']

/** A line that names an image with its registry, and with the digest that an earlier release pinned. */
const IMAGE = /^(\s*(?:ARG \w+=|image: ))([\w.:-]+\/[^\s@]+)(?:@sha256:[0-9a-f]{64})?$/gm

/** Adds its digest to the tag of each image in a text. */
export function pinned(text: string, digestOf: (image: string) => string = lookUp): string {
  return text.replace(IMAGE, (_, start: string, image: string) => `${start}${image}@${digestOf(image)}`)
}

/** The digest of a tag: for an image of several platforms, that of their list. Throws if the registry has none. */
function lookUp(image: string): string {
  const args = ['inspect', '--raw', `docker://${image}`]
  try {
    const manifest = execFileSync('skopeo', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    return `sha256:${createHash('sha256').update(manifest).digest('hex')}`
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer }
    const reason = code === 'ENOENT' ? 'skopeo is missing' : String(stderr).trim().split('\n').at(-1)
    throw new Error(`the digest of ${image} cannot be looked up (skopeo ${args.join(' ')}): ${reason}`)
  }
}
