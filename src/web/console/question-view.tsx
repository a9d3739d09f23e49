/** One question about a table with its answers; and what the table suggests for all of them and for the fields beside it. */
import type { Suggestion } from './data/beside-table.ts'
import type { Answer, Question } from './data/values.ts'

interface QuestionProps {
  readonly question: Question
  onAnswer(answer: Answer): void
}

export const QuestionView = ({ question: { text, answers }, onAnswer }: QuestionProps) => (
  <div class="ask" role="group" aria-label={text}>
    <p>{text}</p>
    <ul class="answers">
      {answers.map((answer) => (
        <li key={answer.label}>
          <button type="button" class="small quiet" onClick={() => onAnswer(answer)}>
            {answer.label}
          </button>
          {answer.effect !== '' && <span>{answer.effect}</span>}
        </li>
      ))}
    </ul>
  </div>
)

interface SuggestionProps {
  readonly suggestion: Suggestion
  onTake(): void
}

/** The one click takes all of it. */
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
