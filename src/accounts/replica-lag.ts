/** The header that says how old the data of a reply may be. */

/** In seconds, rounded up to milliseconds; no header where the database itself has answered. */
export const lagHeader = (lagMs: number | null): string[] =>
  lagMs === null ? [] : ['x-replica-lag', (Math.ceil(lagMs) / 1_000).toFixed(3)]
