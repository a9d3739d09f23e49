/** `npm start`: serves, with the arguments given. */
import { launch } from './launch.js'

launch('production', 'src/cli.ts', ['serve', ...process.argv.slice(2)], 'node bin/quantd.js')
