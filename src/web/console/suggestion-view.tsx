/** What a table suggests for its open questions and for the fields beside it, with the one click that takes all of it. */
import type { Suggestion } from './data/beside-table.ts'

interface SuggestionProps {
  readonly suggestion: Suggestion
  onTake(): void
}

export const SuggestionView = ({ suggestion: { lines }, onTake }: SuggestionProps) => (
  <div class="ask" role="group" aria-label="Suggested by the table">
    <p>Suggested by the table:</p>
    <ul>
      {lines.map((line) => (
        <li>{line}.</li>
      ))}
    </ul>
    <button type="button" class="small" onClick={onTake}>
      {lines.length === 1 ? 'Use it' : 'Use all'}
    </button>
  </div>
)
