/** The fields of a package.json that permit to publish it. */

/**
 * The fields that the option --repository of a script determines. Without it the package is private, so that npm
 * refuses to publish it: provenance compares the address with the repository that the build ran for. An address of another
 * form ends the process.
 * @param url value of the option
 * @param directory of the package in the repository
 */
export function publishing(url: string | undefined, directory?: string): object {
  if (url === undefined) return { private: true }
  if (!/^git\+https:\/\/[^/\s]+\/\S+\.git$/.test(url) || /HOST|OWNER/.test(url)) {
    console.error(
      `quantd: --repository is "${url}"; name the public repository: --repository git+https://host/owner/quantd.git`,
    )
    process.exit(1)
  }
  return {
    repository: { type: 'git', url, ...(directory !== undefined && { directory }) },
    publishConfig: { access: 'public', provenance: true },
  }
}
