/** Lists in pages: their query, and the cursor of the next one. */
import Type from 'typebox'
import { nullable } from '../../accounts/fields.ts'
import { cursorRefused } from '../../errors.ts'
import { OPERATOR_PAGE } from '../../limits/operation.ts'

export const page = {
  limit: Type.Optional(
    Type.Integer({
      description: 'items per page',
      minimum: 1,
      maximum: OPERATOR_PAGE.most,
      default: OPERATOR_PAGE.usual,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the previous page', pattern: '^[A-Za-z0-9_-]{1,1000}$' }),
  ),
}

/** Of endpoints whose data are a table. */
export const format = Type.Optional(
  Type.Enum(['json', 'csv'], { description: 'format of the reply', default: 'json' }),
)

export const nextCursor = nullable(Type.String(), 'null on the last page')

/** Null: the page is the last. @param cursorOf of the last item */
export const cursorAfter = <Item>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => number | string,
): string | null => (items.length < limit ? null : String(cursorOf(items.at(-1)!)))

/** Of a list in the order of its ids; null: the first page. Throws Failure `invalid_input`. */
export function idIn(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  if (!/^\d{1,15}$/.test(cursor)) throw cursorRefused()
  return Number(cursor)
}
