/** `npm run test:mcp`: MCP under a killed service, with the inspector's command line and the conformance tests. */
import { launch } from './launch.js'

launch('all', 'test/long/mcp.ts', process.argv.slice(2))
