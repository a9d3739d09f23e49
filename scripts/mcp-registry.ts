/**
 * The entry of the MCP registry: `server.json` by its schema of 2025-12-11. The registry proves by the account at GitHub, and by
 * `mcpName` in the npm package, that the publisher owns both.
 */

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** The name in the registry; null: the repository is not at GitHub, so that its name needs a domain of the publisher. */
export function registryName(repository: string | undefined): string | null {
  const [, owner, name] = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)$/.exec(repository ?? '') ?? []
  return owner === undefined ? null : `io.github.${owner}/${name}`
}

/** What a client needs to start `quantd mcp`, which forwards to a running service. Its tools are those of that service. */
export const registryEntry = (name: string, version: string, repository: string) => ({
  $schema: SCHEMA,
  name,
  title: 'quantd',
  description:
    'Option prices, implied volatilities, credit risk and anomalies, by a quantd service of your own.',
  version,
  repository: { url: repository, source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: 'quantd',
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      environmentVariables: [
        {
          name: 'QUANTD_URL',
          description: 'Address of the service',
          format: 'string',
          default: 'http://127.0.0.1:8080',
        },
        {
          name: 'QUANTD_API_KEY',
          description: 'API key of the service; POST /guest/create returns one',
          format: 'string',
          isRequired: true,
          isSecret: true,
        },
      ],
    },
  ],
})
