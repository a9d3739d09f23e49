/** Whether the data folder has a database, for commands that may not make one. */
import { statSync } from 'node:fs'
import { type Config, sqliteFile } from '../config/read-config.ts'
import { CommandFailure } from './admin/failure.ts'

export function hasDatabase(config: Config): boolean {
  try {
    return statSync(sqliteFile(config), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // Usually the folder belongs to the user of the service, and another user runs the command.
    throw new CommandFailure(
      `The data folder ${config.dataDir} cannot be read: ${(error as Error).message}. Run the command as root or as the user of the service.`,
    )
  }
}
