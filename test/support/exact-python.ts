/** Debian's Python, which computes in several hundred bits where python3-gmpy2 is installed. */
import { spawnSync } from 'node:child_process'

export const PYTHON = '/usr/bin/python3'

export const hasExactPython = (): boolean => spawnSync(PYTHON, ['-c', 'import gmpy2']).status === 0
