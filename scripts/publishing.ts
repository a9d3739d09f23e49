/** The address of the public repository, and the texts of packages that depend on it. */

/** The address of a repository's page: host, owner and name. */
const REPOSITORY = /^https:\/\/[\w-]+(\.[\w-]+)+\/[\w.-]+\/[\w.-]+(?<!\.git)$/

/**
 * The repository of a release: the one that the command names, or the one that an earlier release has written to package.json.
 * Throws if there is none, or if the address is not that of a repository's page.
 */
export function repositoryOf(named: string | undefined, earlier: string | undefined): string {
  const repository = named ?? earlier
  if (repository === undefined)
    throw new Error('name the public repository: npm run release -- 1.2.3 --repository https://…/…/quantd')
  if (!REPOSITORY.test(repository))
    throw new Error(`the repository is "${repository}", not the address of its page: https://HOST/OWNER/NAME`)
  return repository
}

/**
 * The fields of a package.json about publication. Without a repository the package is private, so that npm refuses to
 * publish it: provenance compares the address with the repository that the build ran for.
 * @param directory the folder of the package in the repository
 */
export function publishing(repository: string | undefined, directory?: string): object {
  if (repository === undefined) return { private: true }
  return {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, ...(directory !== undefined && { directory }) },
    publishConfig: { access: 'public', provenance: true },
  }
}

/** A pyproject.toml or Chart.yaml with the addresses of the repository. */
export function addressed(text: string, repository: string): string {
  return text
    .replace(/^urls = .*$/m, `urls = { Repository = "${repository}", Issues = "${repository}/issues" }`)
    .replace(/^sources: .*$/m, `sources: [${repository}]`)
}

/**
 * Names the package in install commands by its name if it is published, and otherwise by the tarball that the checkout makes,
 * because the name is not registered yet.
 */
export function installable(text: string, version: string, isPublished: boolean): string {
  return text.replace(
    /\.\/(quantd(?:-client|-numerics)?)-VERSION\.tgz/g,
    isPublished ? '$1' : `./$1-${version}.tgz`,
  )
}
