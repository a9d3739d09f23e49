/** The controls that give columns of a table their meanings: questions, fields, units, words and names of rows. */
import type { TargetedEvent } from 'preact'
import type { Choice as ChoiceValue } from './data/headings.ts'
import {
  fieldsOf,
  isMatrix,
  isNeeded,
  isWeights,
  LEFT_OUT,
  labelOfChoice,
  type Mapping,
  MOST_MEANINGS,
  openWithout,
  type TableSpec,
  withField,
} from './data/mapping.ts'
import { type Answer, type Question, weighed } from './data/questions.ts'
import { countedRows, ratingOrder, ratingsIn } from './data/ratings.ts'
import type { TableEntry } from './data/shapes.ts'
import { type Column, isDate, isNumeric, type Table, wordsIn } from './data/table.ts'
import { type Unit, unitsOf } from './data/units.ts'
import type { Ask } from './data/values.ts'
import { labelOf } from './labels.ts'

const MOST_BOXES = 60

interface Mapped {
  readonly spec: TableSpec
  readonly table: Table
  readonly mapping: Mapping
  onChange(mapping: Mapping): void
}

interface ColumnChoiceProps extends Mapped {
  /** Those of request.ts. */
  readonly asks: readonly (Ask | Question)[]
  /** Takes other types of columns, by number. */
  onTypes(types: TableEntry['types']): void
}

/** A part of the mapping that a control changes. */
interface PartProps extends Pick<Mapped, 'mapping'> {
  set(changes: Partial<Mapping>): void
}

export function ColumnChoice({ spec, table, mapping, asks, onChange, onTypes }: ColumnChoiceProps) {
  const set = (changes: Partial<Mapping>) => onChange({ ...mapping, ...changes })
  const isOfMatrix = isMatrix(spec, mapping)
  const isNamed =
    table.columns.length > 1 && spec.kind !== 'samples' && (spec.kind !== 'transitions' || !mapping.isHistory)
  const questions = asks.filter(isQuestion)
  const open = asks.filter((ask) => !isQuestion(ask) && !['guesses', 'gaps', 'table'].includes(ask.key))
  const gaps = asks.find(({ key }) => key === 'gaps')
  return (
    <fieldset class="mapping">
      <legend class="unseen">What the columns mean</legend>
      {gaps && (
        <div class="callout ask">
          <p>{gaps.text}</p>
          <button type="button" class="small" onClick={() => set({ leavesOut: true })}>
            Leave {gaps.rows === 1 ? 'it' : 'them'} out
          </button>
        </div>
      )}
      {mapping.guesses.length > 0 && (
        <div class="callout ask">
          <p>By their headings: {mapping.guesses.map(({ text }, i) => `${i > 0 ? '; ' : ''}${text}`)}.</p>
          <button type="button" class="small" onClick={() => set({ guesses: [] })}>
            Use these columns
          </button>
        </div>
      )}
      {questions.map((question) => (
        <QuestionView
          key={question.key}
          question={question}
          onAnswer={({ mapping, types }) => (types === undefined ? onChange(mapping) : onTypes(types))}
        />
      ))}
      {spec.kind === 'transitions' && table.columns.length > 1 && <Layout mapping={mapping} set={set} />}
      {!isOfMatrix &&
        fieldsOf(spec).map((field) => (
          <FieldChoice
            key={field}
            spec={spec}
            table={table}
            mapping={mapping}
            field={field}
            onChange={onChange}
            set={set}
          />
        ))}
      {isOfMatrix && table.columns.length > 1 && <UsedColumns table={table} mapping={mapping} set={set} />}
      {isOfMatrix && spec.kind === 'transitions' && isRowLeftOut(table, mapping) && (
        <p class="hint">Rows without a column of the same name are left out.</p>
      )}
      {spec.kind === 'transitions' && mapping.isHistory && (
        <RatingOrder table={table} mapping={mapping} set={set} />
      )}
      {isNamed && (
        <Choice
          label="Rows are named by"
          value={mapping.names}
          options={[[-1, 'their numbers'], ...named(table)]}
          onValue={(names) =>
            set({
              names: Number(names),
              used: mapping.used.filter((i) => i !== Number(names)),
              open: openWithout(mapping, 'names'),
            })
          }
        />
      )}
      {open.length > 0 && (
        <ul class="asks">
          {open.map(({ text }) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

const isQuestion = (ask: Ask | Question): ask is Question => 'answers' in ask

/** Whether a matrix of counts has a row without a column of the same name. */
const isRowLeftOut = (table: Table, mapping: Mapping): boolean =>
  (countedRows(table, mapping)?.length ?? table.rows) < table.rows

interface QuestionProps {
  readonly question: Question
  onAnswer(answer: Answer): void
}

/** A question about what changes a result, with a button for each answer and what follows from it. */
const QuestionView = ({ question: { text, answers }, onAnswer }: QuestionProps) => (
  <div class="callout ask" role="group" aria-label={text}>
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

type Option = readonly [value: string | number, text: string]

const named = ({ columns }: Table): Option[] => columns.map(({ name }, i) => [i, name])

interface ChoiceProps {
  readonly label: string
  readonly value: string | number
  readonly options: readonly Option[]
  onValue(value: string): void
}

const Choice = ({ label, value, options, onValue }: ChoiceProps) => (
  <label class="source">
    <span>{label}</span>
    <select aria-label={label} value={String(value)} onChange={(event) => onValue(event.currentTarget.value)}>
      {options.map(([option, text]) => (
        <option value={String(option)} selected={String(option) === String(value)}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface FieldChoiceProps extends Mapped, PartProps {
  readonly field: string
}

/** The choice of the column of a field, and of its unit or the meanings of its words. */
function FieldChoice({ spec, table, mapping, field, onChange, set }: FieldChoiceProps) {
  const at = mapping.fields[field] ?? -1
  const column: Column | undefined = table.columns[at]
  const choices = spec.choices?.[field]
  const none = spec.kind === 'rows' ? 'one value, below' : isNeeded(spec, field) ? 'choose …' : 'none'
  const units = column && choices === undefined ? unitsOf(field, column) : []
  return (
    <div>
      <Choice
        label={labelOf(field)}
        value={at}
        options={[[-1, none], ...named(table)]}
        onValue={(next) => onChange(withField(spec, table, mapping, { field, column: Number(next) }))}
      />
      {units.length > 1 && (
        <Choice
          label="Unit"
          value={mapping.units[field] ?? ''}
          options={[
            ...(mapping.units[field] === null ? [UNCHOSEN] : []),
            ...units.map(({ name, label }): Option => [name, label]),
          ]}
          onValue={(unit) => set({ units: { ...mapping.units, [field]: (unit || null) as Unit | null } })}
        />
      )}
      {mapping.units[field] === 'date' && (
        <label class="source">
          <span>Dates count from</span>
          <input
            type="date"
            value={mapping.day}
            onInput={(event) => set({ day: event.currentTarget.value })}
          />
        </label>
      )}
      {column && choices !== undefined && (
        <Meanings column={column} field={field} choices={choices} mapping={mapping} set={set} />
      )}
      {column && isWeights(field) && <p class="hint">{weighed(column, table.rows)}.</p>}
      {field === spec.turns && column && mapping.isTurned !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={mapping.isTurned}
            onChange={(event) => set({ isTurned: event.currentTarget.checked })}
          />{' '}
          high values are safe
        </label>
      )}
    </div>
  )
}

/** The meanings of the words of a column, unless every word is a choice. Labels are numbers, not words: 1 may mean no default. */
interface MeaningsProps extends PartProps {
  readonly column: Column
  readonly field: string
  readonly choices: readonly ChoiceValue[]
}

const UNCHOSEN: Option = ['', 'choose …']

function Meanings({ column, field, choices, mapping, set }: MeaningsProps) {
  const words = wordsIn(column, MOST_MEANINGS)
  if (words.length > MOST_MEANINGS || words.every((word) => choices.includes(word))) return null
  const given = mapping.meanings[field] ?? {}
  const options = [
    UNCHOSEN,
    ...[...choices, LEFT_OUT].map((choice): Option => [choice, labelOfChoice(choice)]),
  ]
  const change = (word: string) => (text: string) => {
    const { [word]: _before, ...others } = given
    const choice = [...choices, LEFT_OUT].find((one) => String(one) === text)
    const own = choice === undefined ? others : { ...others, [word]: choice }
    set({ meanings: { ...mapping.meanings, [field]: own } })
  }
  return (
    <div class="meanings">
      {words.map((word) => (
        <Choice
          key={word}
          label={`“${word}” is`}
          value={given[word] ?? ''}
          options={options}
          onValue={change(word)}
        />
      ))}
    </div>
  )
}

function UsedColumns({ table, mapping, set }: PartProps & Pick<Mapped, 'table'>) {
  const numbers = table.columns.flatMap((column, i) => (isNumeric(column) ? [i] : []))
  const toggle = (i: number) => (event: TargetedEvent<HTMLInputElement>) =>
    set({
      used: numbers.filter((one) => (one === i ? event.currentTarget.checked : mapping.used.includes(one))),
      // Another column may lack values in other rows, so leaving rows out must be confirmed again.
      leavesOut: mapping.leavesOut && !event.currentTarget.checked,
    })
  const others = table.columns.filter((column) => !isNumeric(column) && !isDate(column)).length
  return (
    <div role="group" aria-label="Columns that are used">
      <p class="used">
        Used:{' '}
        {numbers.slice(0, MOST_BOXES).map((i) => (
          <>
            <label class="check">
              <input type="checkbox" checked={mapping.used.includes(i)} onChange={toggle(i)} />{' '}
              {table.columns[i].name}
            </label>{' '}
          </>
        ))}
      </p>
      {others > 0 && <p class="hint">Columns of text are not used.</p>}
    </div>
  )
}

/** The choice whether the table is a matrix of counts or a history of moves. */
const Layout = ({ mapping, set }: PartProps) => (
  <Choice
    label="The table has"
    value={mapping.isHistory ? 'history' : 'counts'}
    options={[
      ['counts', 'a matrix of counts'],
      ['history', 'a move in each row'],
    ]}
    onValue={(kind) => set({ isHistory: kind === 'history', leavesOut: false, order: null })}
  />
)

/** The list of ratings from best to worst; ratings that are not in it are left out. */
function RatingOrder({ table, mapping, set }: PartProps & Pick<Mapped, 'table'>) {
  const pair = ['from', 'to']
    .map((field) => table.columns[mapping.fields[field]])
    .filter((column) => column !== undefined)
  if (pair.length < 2) return null
  const words = ratingsIn(pair)
  const order = mapping.order ?? ratingOrder(words).order
  const out = words.filter((word) => !order.includes(word))
  const enter = (event: TargetedEvent<HTMLInputElement>) =>
    set({
      order: event.currentTarget.value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
      open: openWithout(mapping, 'order'),
    })
  return (
    <>
      <label class="order">
        Ratings, best to worst
        <input type="text" value={order.join(', ')} spellcheck={false} onChange={enter} />
      </label>
      {out.length > 0 && (
        <p class="hint">
          Moves from or to {out.slice(0, 8).join(', ')}
          {out.length > 8 ? ' …' : ''} are left out.
        </p>
      )}
    </>
  )
}
