/** A small disk of its own for a data folder: an ext4 file system in a file, which can be filled and can fail. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  fill(): void
  /** Removes the files that fill the disk. */
  clear(): void
  /** Makes it read-only for good, as after an I/O error. */
  fail(): void
  /** Loses what was not forced to the disk, as in a power failure, and accepts no more; false if that cannot be done here. */
  lose(): boolean
  /** Mounts it again after `fail` or `lose`; no process may have a file open on it. */
  renew(): void
  close(): void
}

/** Null where file systems cannot be mounted: without root, or without loop devices. */
export function openSmallDisk(megabytes: number): SmallDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'quantd-disk-'))
  const [image, folder] = [join(place, 'image'), join(place, 'disk')]
  mkdirSync(folder)
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, folder)
  const ballast = join(folder, 'ballast')
  const isMounted =
    run('truncate', '-s', `${megabytes}M`, image) && run('mkfs.ext4', '-q', '-F', '-m', '0', image) && mount()
  if (!isMounted) {
    rmSync(place, { recursive: true, force: true })
    return null
  }
  // PostgreSQL runs as another user than root.
  for (const path of [place, folder]) chmodSync(path, 0o755)
  const close = () => {
    if (run('umount', folder) || run('umount', '-l', folder)) rmSync(place, { recursive: true, force: true })
  }
  // A run that dies leaves no mount behind.
  process.once('exit', close)
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      if (bavail > 0) run('fallocate', '-l', String(bavail * bsize), ballast)
      // The space for the file's own metadata was counted as free.
      for (let left = 64; left > 0 && statfsSync(folder).bavail > 0; left--)
        if (!run('dd', 'if=/dev/zero', `of=${ballast}`, 'bs=4k', 'count=4', 'oflag=append', 'conv=notrunc'))
          break
    },
    clear: () => rmSync(ballast, { force: true }),
    fail() {
      run('mount', '-o', 'remount,abort', folder)
      // ext4 notices at its next write.
      run('touch', join(folder, 'touched'))
    },
    lose: () => run('perl', '-e', SHUT_DOWN, folder),
    renew() {
      if (!run('umount', folder)) throw new Error(`${folder} cannot be unmounted`)
      // The failed file system may stay mounted in another mount namespace, and would be mounted again: a copy is a new one.
      if (!run('cp', image, `${image}-copy`) || !run('mv', `${image}-copy`, image))
        throw new Error(`${image} cannot be copied`)
      run('e2fsck', '-fy', image)
      if (!mount()) throw new Error(`${folder} cannot be mounted`)
    },
    close() {
      process.off('exit', close)
      close()
    },
  }
}

/** FS_IOC_SHUTDOWN of ext4, without a flush of its journal. Mounting it read-only would write everything first. */
const SHUT_DOWN =
  'open my $folder, "<", $ARGV[0] or die; my $how = pack "L", 2; ioctl $folder, 0x8004587d, $how or die'

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0
