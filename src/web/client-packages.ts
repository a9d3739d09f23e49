/** The packages of the clients, which the service offers for installation within a company. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonWheel, wheelName } from './python-wheel.ts'

/** The folder of the packages in an installed package; a checkout has none. */
const PACKED = fileURLToPath(new URL('./built/clients/', import.meta.url))
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The packages by name. A checkout makes the wheel when it is requested, and has the npm package once `npm run package:client` has
 * compiled it.
 */
export function clientPackages(version: string): Map<string, () => Buffer> {
  const tarball = `quantd-client-${version}.tgz`
  const found = new Map<string, () => Buffer>()
  if (existsSync(PACKED)) {
    for (const name of globSync('*.{whl,tgz}', { cwd: PACKED }))
      found.set(name, () => readFileSync(join(PACKED, name)))
    return found
  }
  found.set(wheelName(version), () => wheelOfCheckout(version))
  if (existsSync(join(CHECKOUT, 'build', tarball)))
    found.set(tarball, () => readFileSync(join(CHECKOUT, 'build', tarball)))
  return found
}

/** The wheel of the Python package of the checkout. */
export function wheelOfCheckout(version: string): Buffer {
  const folder = join(CHECKOUT, 'clients/python')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return pythonWheel({
    version,
    project: read('pyproject.toml'),
    readme: read('README.md'),
    license: read('LICENSE'),
    files: new Map(
      globSync('quantd/{*.py,*.pyi,py.typed}', { cwd: folder }).map((path) => [
        path.replaceAll('\\', '/'),
        readFileSync(join(folder, path)),
      ]),
    ),
  })
}
