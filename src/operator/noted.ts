/** The names of what operators note; apart from their statements, so that the help loads no database. */

export const NOTED = ['backup', 'master-key-copy'] as const
export type Noted = (typeof NOTED)[number]
