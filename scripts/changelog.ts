/** The sections of CHANGELOG.md. */

const OPEN = '## Unreleased'
const NOTES = '### Upgrade notes'

/** Closes the section of unreleased changes under a version. Throws if it is empty or has no upgrade notes. */
export function withRelease(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(`${OPEN}\n`)
  if (start === -1) throw new Error(`CHANGELOG.md has no section "${OPEN}"`)
  if (changelog.includes(`\n## ${version}`)) throw new Error(`CHANGELOG.md already has a section ${version}`)
  const end = changelog.indexOf('\n## ', start + OPEN.length)
  const section = changelog.slice(start + OPEN.length, end === -1 ? undefined : end)
  if (section.trim() === '') throw new Error('CHANGELOG.md names no change since the last release')
  if (!section.includes(`\n${NOTES}\n`))
    throw new Error(
      `CHANGELOG.md needs "${NOTES}" for ${version}: name the steps of an upgrade, or say there are none`,
    )
  return `${changelog.slice(0, start)}${OPEN}\n\n## ${version} (${date})${changelog.slice(start + OPEN.length)}`
}
