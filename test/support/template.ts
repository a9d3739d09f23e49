/** Makes the later databases of tests on a server copies of one that has the tables of the service already. */
import { openPostgres } from '../../src/ledger/store/postgres/open.ts'
import { asAdmin } from './as-admin.ts'
import { useAsTemplate, workersOf } from './citus-database.ts'
import { createDatabase } from './postgres.ts'

export async function makeTemplate(url: string): Promise<void> {
  const template = await createDatabase(url)
  await (await openPostgres({ url: template })).close()
  await useAsTemplate(template, await asAdmin(url, workersOf))
}
