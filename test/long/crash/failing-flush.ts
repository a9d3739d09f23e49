/** Loaded before a node: after SIGUSR2 its next flush of the write-ahead log fails as on a broken disk. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

let failing = 0
process.on('SIGUSR2', () => {
  failing += 1
})

const { fdatasync } = fs
fs.fdatasync = ((handle: number, callback: (error: Error | null) => void) => {
  if (failing === 0) return fdatasync(handle, callback)
  failing -= 1
  setImmediate(callback, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
}) as typeof fs.fdatasync
syncBuiltinESMExports()
