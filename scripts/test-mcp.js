/** `npm run test:mcp`: MCP under a killed service, with the inspector's command line and the conformance tests. */
import { launch } from './launch.js'

launch('all', 'proofs/mcp.ts', process.argv.slice(2))
