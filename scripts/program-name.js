/** The name under which a script was started, in a form that its caller can type again. */
import { basename, delimiter, dirname, relative } from 'node:path'

/**
 * The command for a link in a folder of PATH is its name alone, after `npx` if npx put the folder into PATH. The command for a
 * script is `node` and its path, which is relative if the script is below the current folder.
 * @param {string} script process.argv[1]
 * @param {string} folder the current one
 * @param {NodeJS.ProcessEnv} env
 */
export function programName(script, folder, { PATH = '', npm_command: npmCommand }) {
  const isLink = !script.endsWith('.js')
  if (isLink && PATH.split(delimiter).includes(dirname(script)))
    return npmCommand === 'exec' ? `npx ${basename(script)}` : basename(script)
  const below = relative(folder, script)
  const file = quoted(below.startsWith('..') ? script : below)
  return isLink ? file : `node ${file}`
}

const quoted = (file) => (/^[\w./@:\\-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`)
