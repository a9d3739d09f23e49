/** Builds the wheel of the Python package in build/: `npm run package:python`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { wheelOfCheckout } from '../src/web/client-packages.ts'
import { wheelName } from '../src/web/python-wheel.ts'
import { json } from './packing.ts'

const target = resolve(import.meta.dirname, '../build')
const { version } = json('package.json')
const wheel = wheelOfCheckout(version)

mkdirSync(target, { recursive: true })
writeFileSync(join(target, wheelName(version)), wheel)
console.log(`build/${wheelName(version)} (${wheel.length} bytes)`)
