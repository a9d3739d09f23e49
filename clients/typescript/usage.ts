/** The usage history as an asynchronous iteration over all of its pages. */
import type { CallOptions } from './options.ts'
import type { UserUsageData, UserUsageInput } from './types.ts'

type Page = (input: UserUsageInput, options: CallOptions) => Promise<UserUsageData>

/** The computations, newest first. Pages are requested as the iteration reaches them. */
export async function* usageHistory(
  page: Page,
  input: UserUsageInput,
  options: CallOptions,
): AsyncGenerator<UserUsageData['items'][number], void, void> {
  let cursor = input.cursor
  for (;;) {
    const { items, next_cursor } = await page({ ...input, ...(cursor !== undefined && { cursor }) }, options)
    yield* items
    if (next_cursor === null) return
    cursor = next_cursor
  }
}
