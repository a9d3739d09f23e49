#!/usr/bin/env node
/** The quantd command of the npm package, which holds this file as bin/quantd.js: it runs the built service. */
import { fileURLToPath } from 'node:url'
import { programName } from '../scripts/program-name.js'
import { runHere } from '../scripts/run-node.js'

const name = programName(process.argv[1], process.cwd(), process.env)
runHere([fileURLToPath(new URL('../dist/app/quantd.js', import.meta.url)), ...process.argv.slice(2)], name)
