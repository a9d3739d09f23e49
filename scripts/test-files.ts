/** Which test files run on each database, and which share a process. */

/** Folders and prefixes of file names whose tests run once on each database (QUANTD_TEST_DATABASE). */
export const DATABASE_GROUPS = [
  ...[
    'test/contract',
    'test/ledger/store',
    'test/accounts',
    'test/ledger-store',
    'test/operators',
    'test/ledger/receipts',
  ],
  ...['test/long/credits', 'test/long/webhooks', 'test/app/main/starts', 'test/app/main/supervisor'],
  ...['test/app/cli/admin', 'test/app/cli/backup', 'test/hostile/accounts'],
]

/**
 * A process loads the packages of the service once for the files of its batch: loading takes half of the processor time of most
 * files. The database groups are three batches each.
 */
const FILES_PER_PROCESS = 26

/** Files with a process of their own: they measure its memory or processor time, stop it, or take too long for others to wait. */
const ALONE = [
  ...['test/app/main/starts', 'test/app/main/supervisor'],
  ...['test/compute/body/receive', 'test/compute/catalogue/work', 'test/compute/threads/pool'],
  ...['test/hostile/fairness', 'test/hostile/unpaid-work', 'test/app/main/heap'],
  ...['test/crash', 'test/browser', 'test/long/deploy'],
]

/** Whether a file is one of `folders`, lies in one of them, or has a name that begins with one of them. */
export function begins(file: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => file === folder || ['/', '.', '-'].some((end) => file.startsWith(folder + end)),
  )
}

/**
 * The files of each process, in the order in which the processes start. Neighbours, which often take equally long, are in different
 * batches, so that the batches of a group end at about the same time.
 */
export function batchesOf(files: readonly string[]): string[][] {
  const alone = files.filter((file) => begins(file, ALONE))
  const together = files.filter((file) => !begins(file, ALONE))
  const count = Math.ceil(together.length / FILES_PER_PROCESS)
  const batches = Array.from({ length: count }, (_, index) =>
    together.filter((_, place) => place % count === index),
  )
  return [...alone.map((file) => [file]), ...batches]
}

/** Settings of quantd in the caller's environment must not reach the tests, least of all a DATABASE_URL. */
export function ownSettingsRemoved(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings =
    /^(QUANTD_(?!TEST_)\w*|OTEL_\w*|(DATABASE_URL|DATABASE_REPLICA_URL|SMTP_URL|METRICS_TOKEN)(_FILE)?|MAIL_FROM|HOST|PORT|METRICS_\w+|LOG_\w+)$/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)))
}
