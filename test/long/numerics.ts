/** The package of the numerics (`npm run test:numerics`): its tarball checked, its README run in every runtime. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { readmeExample } from '../support/readme-example.ts'
import { checkLibrary, reports } from './client/library.ts'
import { packed } from './client/pack.ts'

const { report, end } = reports()
const numerics = await packed('src/numerics')
try {
  const manifest = readFileSync(
    join(numerics.folder, 'node_modules', numerics.library, 'package.json'),
    'utf8',
  )
  report('no dependencies', !/dependencies/i.test(manifest.replace(/"description".*/, '')), manifest)
  await checkLibrary(report, numerics, readmeExample(numerics.readme), await freePort())
} finally {
  rmSync(numerics.folder, { recursive: true, force: true })
}
end()
