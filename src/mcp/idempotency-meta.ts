/** `_meta` of a tool call may carry its idempotency key, since MCP clients set headers for all calls alike. */
export const IDEMPOTENCY_META = 'quantd/idempotencyKey'
