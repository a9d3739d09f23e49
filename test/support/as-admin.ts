/** A connection for a few statements of a superuser. */
import pg from 'pg'

export async function asAdmin<Result>(
  url: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: url })
  // If the server is killed meanwhile, the next statement fails.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end().catch(() => undefined)
  }
}
