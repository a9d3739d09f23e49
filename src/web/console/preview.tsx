/** The preview's numbers: computed in the browser, not charged. */
import { short, whole } from './numbers.ts'
import type { Operation, Quantity } from './operation.ts'
import type { PreviewState } from './use-preview.ts'

interface PreviewProps {
  readonly operation: Operation
  readonly preview: PreviewState
  /** A text that says what must be entered first, or null. */
  readonly blocked: string | null
}

export function Preview({ operation, preview, blocked }: PreviewProps) {
  if (operation.preview === undefined) return null
  const { shown, fault, isWaiting, isStale } = preview
  const numbers = shown === null ? [] : operation.headline(shown.data, shown.table)
  return (
    <section
      class={fault !== null || numbers.length === 0 ? 'card preview none' : 'card preview'}
      aria-label="Preview"
    >
      <h2>
        Preview <span class="tag">free, in your browser</span>
        {isWaiting && <span class="tag late">computing …</span>}
      </h2>
      {fault !== null && <p class="fault">{fault.text}</p>}
      {fault === null && shown === null && <p class="hint">{blocked ?? 'Computing …'}</p>}
      {fault === null && <Numbers numbers={numbers} isStale={isStale} />}
    </section>
  )
}

/** The most characters that fit one line of the answer beside the preview in the usual size. */
const MOST_SIGNS = 19

interface NumbersProps {
  readonly numbers: readonly Quantity[]
  /** Whether all digits are shown. */
  readonly isExact?: boolean
  /** Whether they are of an earlier input, so that dots take their place. */
  readonly isStale?: boolean
}

/** Large numbers with their labels. */
export const Numbers = ({ numbers, isExact = false, isStale = false }: NumbersProps) =>
  numbers.length > 0 && (
    <dl class={`headline ${numbers.length > 2 ? 'many' : ''}`}>
      {numbers.map(({ name, label, value, unit = '' }) => {
        const text = isStale ? '…' : isExact ? exact(value) : short(value)
        return (
          <div key={name}>
            <dt>
              {label}
              {unit !== '' && (
                <>
                  {' '}
                  <span class="unit">{unit}</span>
                </>
              )}
            </dt>
            <dd class={text.length > MOST_SIGNS ? 'long' : undefined}>{text}</dd>
          </div>
        )
      })}
    </dl>
  )

/** A number with all digits, and with thousands separators if it is whole. */
const exact = (value: number): string => (Number.isSafeInteger(value) ? whole(value) : String(value))
