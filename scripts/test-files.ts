/** Which tests `npm test` runs, which run on each database, and which share a process. */

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

/** The part of a group that `npm test` runs: of its files, and of its tests those with such a name. */
export interface Part {
  readonly only?: readonly string[]
  readonly without?: readonly string[]
  readonly tests?: RegExp
}

/** What `npm test` runs of these groups: of the others it runs everything. `npm test -- rest` runs what it leaves. */
export const SHORT: Readonly<Record<string, Part>> = {
  browser: { tests: /^journey: / },
  // Each statement of the endpoints once, and what only a database with several sessions can get wrong.
  postgres: {
    only: [
      ...['computations', 'guest-keys', 'batch', 'precedence'].map((name) => `test/contract/${name}`),
      ...['clock-ahead', 'lot-statements', 'refunds'].map((name) => `test/ledger-store/${name}`),
      ...['test/ledger/store', 'test/accounts/every-endpoint', 'test/operators/every-endpoint'],
    ],
  },
  sqlite: {
    without: [
      ...['credits', 'guess-limits', 'privacy', 'rotation', 'team-keys'].map(
        (name) => `test/accounts/${name}`,
      ),
      ...['test/contract/hostile-callers', 'test/ledger-store/exact-windows'],
      ...['hostile-texts', 'plan', 'sign-on', 'webhooks'].map((name) => `test/operators/${name}`),
      ...['commands', 'forgeries', 'many-accounts'].map((name) => `test/ledger/receipts/${name}`),
    ],
  },
  unit: {
    without: [
      ...['completion', 'move', 'program-name', 'terminal'].map((name) => `test/app/cli/${name}`),
      ...['test/app/log', 'test/app/main/tracing', 'test/numerics/options/variance-gamma-calibration'],
      ...['test/compute/catalogue/work', 'test/compute/threads/pool'],
      ...['bill-your-customers', 'code-samples', 'document-commands'].map((name) => `test/derive/${name}`),
      ...[
        'test/install/packages',
        'test/install/npm-ci',
        'test/ledger/proofs/gaps-in-time',
        'test/web/documents',
      ],
      ...['altered', 'every-input'].map((name) => `test/wire/receipt-check/${name}`),
      ...['hostile', 'malformed', 'message-limit'].map((name) => `test/serve/mcp/${name}`),
    ],
  },
  python: { without: ['test/python/documents', 'test/python/notebook', 'test/python/interrupted-run'] },
}

/** Files that take minutes, or need an idle processor or packages of Debian: they run only if they or their group are named. */
export const NAMED_ONLY = [
  'test/long',
  'test/hostile',
  'test/crash',
  'test/app/main/starts',
  'test/app/main/supervisor',
]

/** An npm script with its arguments, which may take so many minutes. */
export interface Script {
  readonly minutes: number
  readonly args: readonly string[]
}

const script = (minutes: number, ...args: string[]): Script => ({ minutes, args })

/** Files of the database that also run on a Citus cluster, for which those of `npm run test:citus` would take too long. */
const ON_CITUS = [
  ...['query-plans', 'postgres', 'clock', 'usage-pages'].map((name) => `test/ledger/store/${name}`),
  ...['test/ledger-store/refunds', 'test/app/cli/admin'],
  ...['test/accounts/notices', 'test/operators/statement'],
  ...['citus.test.ts', 'citus-standbys', 'citus-move-database'].map((name) => `test/ledger/store/${name}`),
]

/** What `npm run test:all` runs: all that `npm test` leaves out. */
export const OTHER_SCRIPTS: readonly Script[] = [
  script(20, 'test', 'rest'),
  ...[
    'package',
    'image',
    'proxies',
    'topology',
    'chart',
    'systemd',
    'metrics',
    'client',
    'mcp',
    'failover',
  ].map((name) => script(8, `test:${name}`)),
  // Without a build of Citus it says so and runs nothing.
  script(15, 'test:citus', ...ON_CITUS),
  script(10, 'test', 'test/hostile'),
  script(8, 'test', 'test/app/main/starts', 'test/app/main/supervisor'),
  script(8, 'test', 'test/crash'),
  script(
    8,
    'test',
    ...['adding-an-operation', 'client', 'credits', 'fuzz', 'webhooks'].map((name) => `test/long/${name}`),
  ),
  script(10, 'test', 'test/long/move'),
  script(8, 'test:operators'),
  script(8, 'test:model', '2000'),
  script(8, 'test:receipts', '30000', '3000'),
  script(8, 'test:crash', '--database', 'sqlite', '--seed', '1', '--rounds', '1'),
  script(8, 'test:crash', '--database', 'postgres', '--seed', '1', '--rounds', '1'),
  script(8, 'test:crash', '--database', 'postgres', '--processes', '2', '--seed', '5', '--rounds', '1'),
  script(8, 'fuzz', '--database', 'sqlite', '--seed', '1', '--requests', '10000'),
  script(8, 'fuzz', '--database', 'postgres', '--seed', '1', '--requests', '10000'),
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
  ...['test/crash', 'test/browser', 'test/long/credits', 'test/long/deploy', 'test/long/webhooks'],
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
