/** Reads the time from which audit rows have proofs. */
import { AUDIT_PROVEN_FROM, factOf } from '../store/facts.ts'
import type { Sql, Transaction } from '../store/sql.ts'
import type { Checkpoint } from './checkpoint-text.ts'

/** 0: all rows have proofs. The migration that introduced them stored the time; the checkpoints sign it. */
export function* provenSince(sql: Sql, newest: Checkpoint | null): Transaction<number> {
  return newest?.proven_from ?? (yield* factOf<number>(sql, AUDIT_PROVEN_FROM)) ?? 0
}
