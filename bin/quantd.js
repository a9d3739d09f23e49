#!/usr/bin/env node
/** The quantd command, on any Node ≥ 20. */
import { launch } from '../scripts/launch.js'

launch('production', 'src/cli.ts', process.argv.slice(2))
