/** The preview's numbers: computed in the browser, not charged. */
import { exact, short } from './numbers.ts'
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
    <div class="preview">
      <h2>
        Preview <span class="tag">free, in your browser</span>
        {isWaiting && <span class="tag late">computing …</span>}
      </h2>
      {fault !== null && <p class="fault">{fault.text}</p>}
      {fault === null && shown === null && <p class="hint">{blocked ?? 'Computing …'}</p>}
      {fault === null && <Numbers numbers={numbers} isStale={isStale} />}
    </div>
  )
}

interface NumbersProps {
  readonly numbers: readonly Quantity[]
  /** Whether all digits are shown. */
  readonly isExact?: boolean
  /** Whether they are of an earlier input, so that dots take their place. */
  readonly isStale?: boolean
}

/** Large numbers with their labels above and their units below. */
export const Numbers = ({ numbers, isExact = false, isStale = false }: NumbersProps) =>
  numbers.length > 0 && (
    <dl class={`headline ${numbers.length > 2 ? 'many' : ''}`}>
      {numbers.map(({ name, label, value, unit = '' }) => {
        const text = isStale ? '…' : isExact ? exact(value) : short(value)
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{text}</dd>
            {unit !== '' && <dd class="unit">{unit}</dd>}
          </div>
        )
      })}
    </dl>
  )
