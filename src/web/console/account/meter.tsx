/** A bar that shows how much of a limit is used. */
import type { ComponentChildren } from 'preact'

interface MeterProps {
  /** Unlike others of the page. */
  readonly id: string
  readonly used: number
  readonly limit: number
  /** The sentence that tells the use. */
  readonly children: ComponentChildren
}

export const Meter = ({ id, used, limit, children }: MeterProps) => (
  <>
    <p id={id}>{children}</p>
    <div
      class={`spent ${used >= limit ? 'full' : ''}`}
      role="meter"
      aria-labelledby={id}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <div style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
    </div>
  </>
)
