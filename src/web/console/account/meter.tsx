/** A bar that shows how much of a limit is used. */
// @ts-nocheck: to be converted

/** `children`: what it says; `id`: unlike others of the page. */
export const Meter = ({ id, used, limit, children }) => (
  <>
    <p id={id}>{children}</p>
    <div
      class={`spent ${used >= limit ? 'full' : ''}`}
      role="meter"
      aria-labelledby={id}
      aria-valuemin="0"
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <div style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
    </div>
  </>
)
