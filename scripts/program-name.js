/** The name under which a script was started, in a form that its caller can type again. */
import { basename, delimiter, dirname, relative } from 'node:path'

/**
 * A link in a folder of PATH is called by its name alone; a script by `node` and its path, relative where it is below the
 * current folder.
 * @param {string} script process.argv[1]
 * @param {string} folder the current one
 * @param {string} [path] the environment's PATH
 */
export function programName(script, folder, path = '') {
  const isLink = !script.endsWith('.js')
  if (isLink && path.split(delimiter).includes(dirname(script))) return basename(script)
  const below = relative(folder, script)
  const file = quoted(below.startsWith('..') ? script : below)
  return isLink ? file : `node ${file}`
}

const quoted = (file) => (/^[\w./@:\\-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`)
