/** The progress of a task of a page. A screen reader announces each phase, but not each step. */
import type { TaskProgress } from './data/shapes.ts'

export function Progress({ phase, share }: TaskProgress) {
  const percent = share === null ? null : Math.round(100 * share)
  return (
    <p class="progress">
      <span>
        <span role="status">{phase}</span>
        {percent === null ? ' …' : ` ${percent} %`}
      </span>
      <progress max="100" value={percent ?? undefined} aria-label={phase} />
    </p>
  )
}
