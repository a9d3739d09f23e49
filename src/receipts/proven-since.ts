/** The time from which audit rows have proofs. */
import { AUDIT_PROVEN_FROM, factOf } from '../store/facts.ts'
import type { Sql, Transaction } from '../store/sql.ts'
import type { Checkpoint } from './checkpoint-text.ts'

/** 0: all have. The first checkpoint signs what the migration has noted, and every later one repeats it. */
export function* provenSince(sql: Sql, newest: Checkpoint | null): Transaction<number> {
  return newest?.proven_from ?? (yield* factOf<number>(sql, AUDIT_PROVEN_FROM)) ?? 0
}
