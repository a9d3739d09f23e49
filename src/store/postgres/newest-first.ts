/** Pages of usage from an audit that is partitioned by day. */
import { timeOfId } from '../../ids.ts'
import type { Sql, Transaction } from '../sql.ts'
import { auditParts, CLOCKS_MS, DAY_MS } from '../verbs/audit-parts.ts'
import { type UsageItem, type UsagePage, type UsageQuery, usage } from '../verbs/usage.ts'
import { startOfDay } from './audit-days.ts'

/**
 * Days that a transaction reads. It locks each of their tables and indexes until its end, and the server's room for locks is
 * limited.
 */
const MOST_DAYS = 32
/** Before the present day: most pages concern these. */
const FIRST_DAYS = 2

/** Reads the newest days first, then four times as many, until the page is full. */
export async function usageByDays(
  query: UsageQuery,
  run: <Result>(transaction: (sql: Sql) => Transaction<Result>) => Promise<Result>,
): Promise<UsagePage> {
  const { before, filter, limit } = query
  const range = rangeOf(query)
  const items: UsageItem[] = []
  let first: number | null = null
  let to = range.to
  for (let days = FIRST_DAYS; ; days = Math.min(4 * days, MOST_DAYS)) {
    let from = Math.max(
      range.from,
      startOfDay(Math.min(to - 1, before?.at ?? to, Date.now())) - days * DAY_MS,
    )
    if (days > FIRST_DAYS) first ??= await run(firstDay)
    if (first !== null && from <= first) from = range.from
    const span = { ...filter, range: { from, to } }
    // A full page has a next one if there is one older row.
    const page = await run((sql) =>
      usage(sql, { ...query, limit: Math.max(1, limit - items.length), filter: span }),
    )
    if (items.length === limit) {
      if (page.items.length > 0) return { items, next: items.at(-1)! }
    } else items.push(...page.items)
    if (page.next !== null || from <= range.from) return { items, next: page.next }
    to = from
  }
}

const rangeOf = ({ before, filter: { range, requestId } }: UsageQuery) => {
  // A UUID of version 7 tells when the request was made. Rows of other ids, given by callers, can be of any time.
  const made = requestId === undefined ? null : timeOfId(requestId)
  return {
    from: Math.max(range?.from ?? 0, made === null ? 0 : made - CLOCKS_MS),
    to: Math.min(
      range?.to ?? Number.MAX_SAFE_INTEGER,
      before === null ? Number.MAX_SAFE_INTEGER : before.at + 1,
    ),
  }
}

/** The first day that has a partition of its own; older rows are in one. */
function* firstDay(sql: Sql): Transaction<number> {
  const [oldest] = yield* auditParts(sql)
  if (oldest === undefined) return Number.MAX_SAFE_INTEGER
  return Number.isFinite(oldest.from) ? oldest.from : oldest.to
}
