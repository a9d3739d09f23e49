/** The data folders of the nodes of one machine: the first uses the configured folder, each other one a folder in it. */
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REFUND_JOURNAL, type RefundJournal } from '../../ledger/metering/refund-journal.ts'
import { FolderInUse, type FolderLock, lockFolder } from '../../ledger/store/sqlite/folder-lock.ts'

export const nodeFolder = (dataDir: string, node: number): string =>
  node === 1 ? dataDir : join(dataDir, `node-${node}`)

/** Adopts the journals of nodes that do not run; after QUANTD_PROCESSES was lowered, nobody else would open them. */
export function adoptJournals(dataDir: string, { adopt }: Pick<RefundJournal, 'adopt'>): void {
  for (const name of globSync(join('node-*', REFUND_JOURNAL), { cwd: dataDir })) {
    const journal = join(dataDir, name)
    const lock = lockUnlessInUse(dirname(journal))
    // The node may have finished its journal and ended meanwhile.
    if (lock !== null && existsSync(journal)) adopt(journal)
    lock?.release()
  }
}

function lockUnlessInUse(folder: string): FolderLock | null {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse) return null
    throw error
  }
}
