#!/usr/bin/env node
/** The quantd command, on any Node ≥ 20. */
import { launch } from '../scripts/launch.js'
import { programName } from '../scripts/program-name.js'

const name = programName(process.argv[1], process.cwd(), process.env)
launch('production', 'src/app/quantd.ts', process.argv.slice(2), name)
