/** The controls that give columns of a table their meanings: those in its headings, the questions, and settings of fields. */
import type { TargetedEvent } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Beside, Suggestion } from './data/beside-table.ts'
import { types } from './data/column-types.ts'
import type { Choice as ChoiceValue } from './data/headings.ts'
import {
  fieldsOf,
  isMatrix,
  isWeights,
  LEFT_OUT,
  labelOfChoice,
  type Mapping,
  MOST_MEANINGS,
  openWithout,
  ratingColumns,
  type TableSpec,
  withField,
  withOrder,
} from './data/mapping.ts'
import { isOutcome } from './data/outcomes.ts'
import { weighed } from './data/questions.ts'
import { countedRows, ratingOrder, ratingsIn } from './data/ratings.ts'
import { NAMES, roleOf, rolesFor, UNUSED, USED, withRole } from './data/roles.ts'
import type { TableEntry } from './data/shapes.ts'
import { suggestionOf } from './data/suggestions.ts'
import { type Column, type ColumnType, keptRows, type Table, wordsIn } from './data/table.ts'
import { type Unit, unitsOf } from './data/units.ts'
import type { Ask, Question } from './data/values.ts'
import { labelOf } from './labels.ts'
import { QuestionView, SuggestionView } from './question-view.tsx'

export interface Mapped {
  readonly spec: TableSpec
  readonly table: Table
  readonly mapping: Mapping
  onChange(mapping: Mapping): void
  /** Takes other types of columns, by number. */
  onTypes(types: TableEntry['types']): void
}

type Option = readonly [value: string | number, text: string]

interface ChoiceProps {
  readonly label: string
  /** Whether the label is shown, not only read aloud. */
  readonly isLabelled?: boolean
  readonly kind?: string
  readonly value: string | number
  readonly options: readonly Option[]
  onValue(value: string): void
}

function Choice({ label, isLabelled = false, kind, value, options, onValue }: ChoiceProps) {
  const select = (
    <select
      class={kind}
      aria-label={label}
      value={String(value)}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option value={String(option)} selected={String(option) === String(value)}>
          {text}
        </option>
      ))}
    </select>
  )
  if (!isLabelled) return select
  return (
    <div class="source">
      <span aria-hidden="true">{label}</span>
      {select}
    </div>
  )
}

const UNCHOSEN: Option = ['', 'choose …']

interface HeadingProps extends Mapped {
  /** The number of the column. */
  readonly at: number
}

/** Below a heading: what the column means, in which unit, and of which type its cells are. */
export function HeadingControls({ at, ...mapped }: HeadingProps) {
  const { spec, table, mapping, onChange, onTypes } = mapped
  const column = table.columns[at]
  const role = roleOf(spec, mapping, at)
  const isField = ![UNUSED, USED, NAMES].includes(role)
  const units = isField && spec.choices?.[role] === undefined ? unitsOf(role, column) : []
  const set = (changes: Partial<Mapping>) => onChange({ ...mapping, ...changes })
  const isGuess = mapping.guesses.some(({ key }) => key === role)
  return (
    <>
      <Choice
        label={`Meaning of ${column.name}`}
        kind={role === UNUSED ? 'role' : isGuess ? 'role chosen guess' : 'role chosen'}
        value={role}
        options={rolesFor(spec, table, mapping, at)}
        onValue={(next) => onChange(withRole(spec, table, mapping, { column: at, role: next }))}
      />
      {units.length > 1 && (
        <Choice
          label={`Unit of ${column.name}`}
          value={mapping.units[role] ?? ''}
          options={[
            ...(mapping.units[role] === null ? [UNCHOSEN] : []),
            ...units.map(({ name, label }): Option => [name, label]),
          ]}
          onValue={(unit) => set({ units: { ...mapping.units, [role]: (unit || null) as Unit | null } })}
        />
      )}
      {mapping.units[role] === 'date' && (
        <label class="day">
          <span>from {table.columns[mapping.days]?.name}</span>
          <input
            type="date"
            aria-label="Dates count from"
            value={mapping.days === -1 ? mapping.day : ''}
            onInput={(event) => set({ day: event.currentTarget.value, days: -1 })}
          />
        </label>
      )}
      <Choice
        label={`Type of ${column.name}`}
        value={column.type}
        options={Object.entries(types).map(([type, { label }]): Option => [type, label])}
        onValue={(type) => onTypes({ [at]: type as ColumnType })}
      />
      {column.gaps + column.oddCount > 0 && <span class="gaps">{missing(column)}</span>}
    </>
  )
}

const missing = ({ gaps, oddCount }: Column): string =>
  [gaps > 0 && `${gaps} missing`, oddCount > 0 && `${oddCount} not read`].filter((part) => part).join(', ')

interface QuestionsProps extends Mapped {
  readonly beside: Beside
  /** Takes values of fields beside the table. */
  onTexts(texts: Suggestion['texts']): void
  /** Those of request.ts. */
  readonly asks: readonly (Ask | Question)[]
}

const isQuestion = (ask: Ask | Question): ask is Question => 'answers' in ask

/** What must be answered before the table is used, each with what follows from its answers. */
export function Questions({ asks, beside, onTexts, ...mapped }: QuestionsProps) {
  const { spec, table, mapping, onChange, onTypes } = mapped
  const region = useRef<HTMLDivElement>(null)
  const set = (changes: Partial<Mapping>) => onChange({ ...mapping, ...changes })
  const shown = asks.filter(({ key }) => !['guesses', 'table'].includes(key))
  const suggestion = useMemo(
    () => suggestionOf({ spec, table, mapping }, beside),
    [spec, table, mapping, beside],
  )
  const { only } = mapping
  if (shown.length + mapping.guesses.length + only.length === 0 && suggestion === null) return null
  // The control with the focus goes away with its question, so that the next one gets it.
  const answer = (act: () => void) => () => {
    act()
    requestAnimationFrame(() => region.current?.querySelector('button')?.focus())
  }
  return (
    <div class="asks" ref={region}>
      {only.length > 0 && (
        <div class="ask">
          <p>
            Used: the rows with{' '}
            {only.map(({ column, word }) => `“${word}” in ${table.columns[column].name}`).join(' and ')}.
          </p>
          <button
            type="button"
            class="small quiet"
            onClick={answer(() => onChange(withOrder(spec, table, { ...mapping, only: [], order: null })))}
          >
            Choose again
          </button>
        </div>
      )}
      {suggestion !== null && (
        <SuggestionView
          suggestion={suggestion}
          onTake={answer(() => {
            set({ ...suggestion.mapping, guesses: [] })
            onTexts(suggestion.texts)
          })}
        />
      )}
      {mapping.guesses.length > 0 && (
        <div class="ask">
          <p>Recognised by headings or cells: {mapping.guesses.map(({ text }) => text).join('; ')}.</p>
          <button type="button" class="small" onClick={answer(() => set({ guesses: [] }))}>
            Use these columns
          </button>
        </div>
      )}
      {shown.map((ask) =>
        isQuestion(ask) ? (
          <QuestionView
            key={ask.key}
            question={ask}
            onAnswer={({ mapping, types }) =>
              answer(() => (types === undefined ? onChange(mapping) : onTypes(types)))()
            }
          />
        ) : (
          <div class="ask" key={ask.key}>
            <p>{ask.text}</p>
            {ask.key === 'gaps' && (
              <button type="button" class="small" onClick={answer(() => set({ leavesOut: true }))}>
                Leave {ask.rows === 1 ? 'it' : 'them'} out
              </button>
            )}
            {!isMatrix(spec, mapping) && fieldsOf(spec).includes(ask.key) && (
              <Choice
                label={labelOf(ask.key)}
                value={mapping.fields[ask.key] ?? ''}
                options={[UNCHOSEN, ...table.columns.map(({ name }, i): Option => [i, name])]}
                onValue={(next) =>
                  onChange(withField(spec, table, mapping, { field: ask.key, column: Number(next || -1) }))
                }
              />
            )}
          </div>
        ),
      )}
    </div>
  )
}

/** A part of the mapping that a control changes. */
interface PartProps extends Pick<Mapped, 'mapping' | 'table'> {
  set(changes: Partial<Mapping>): void
}

/** Settings of the columns that do not fit their headings: meanings of words, directions, and the layout and order of ratings. */
export function Settings({ spec, table, mapping, onChange }: Mapped) {
  const set = (changes: Partial<Mapping>) => onChange({ ...mapping, ...changes })
  const part = { table, mapping, set }
  const isRatings = spec.kind === 'transitions'
  const isOfMatrix = isMatrix(spec, mapping)
  const chosen = isOfMatrix ? [] : Object.entries(mapping.fields)
  return (
    <fieldset class="mapping">
      <legend class="unseen">What the columns mean</legend>
      {isRatings && table.columns.length > 1 && (
        <Choice
          label="The table has"
          isLabelled
          value={mapping.isHistory ? 'history' : 'counts'}
          options={[
            ['counts', 'a matrix of counts'],
            ['history', 'a move in each row'],
          ]}
          onValue={(kind) => set({ isHistory: kind === 'history', leavesOut: false, order: null })}
        />
      )}
      {chosen.map(([field, at]) => (
        <FieldSettings key={field} {...part} spec={spec} field={field} column={table.columns[at]} />
      ))}
      {spec.kind === 'matrix' && <Outcomes table={table} mapping={mapping} />}
      {isRatings && isOfMatrix && (countedRows(table, mapping)?.length ?? table.rows) < table.rows && (
        <p class="hint">Rows without a column of the same name are left out.</p>
      )}
      {((isRatings && mapping.isHistory) || spec.kind === 'history') && <RatingOrder {...part} spec={spec} />}
    </fieldset>
  )
}

/** The columns of outcomes that are no measures, unless the person uses them. */
function Outcomes({ table, mapping }: Pick<Mapped, 'table' | 'mapping'>) {
  const names = table.columns.flatMap((column, i) =>
    !mapping.used.includes(i) && mapping.names !== i && isOutcome(column) ? [column.name] : [],
  )
  if (names.length === 0) return null
  return (
    <p class="hint">
      Not used as {names.length === 1 ? 'a measure' : 'measures'}: {names.join(', ')}, of two values that say
      an outcome; choose “used” in the heading if it is one.
    </p>
  )
}

interface FieldSettingsProps extends PartProps {
  readonly spec: TableSpec
  readonly field: string
  readonly column: Column
}

function FieldSettings({ spec, field, column, ...part }: FieldSettingsProps) {
  const { table, mapping, set } = part
  const choices = spec.choices?.[field]
  return (
    <>
      {choices !== undefined && <Meanings {...part} column={column} field={field} choices={choices} />}
      {isWeights(field) && <p class="hint">{weighed(column, table.rows)}.</p>}
      {field === spec.turns && mapping.isTurned !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={mapping.isTurned}
            onChange={(event) => set({ isTurned: event.currentTarget.checked })}
          />{' '}
          high values are safe
        </label>
      )}
    </>
  )
}

/** The meanings of the words of a column, unless every word is a choice. Labels are numbers, not words: 1 may mean no default. */
interface MeaningsProps extends PartProps {
  readonly column: Column
  readonly field: string
  readonly choices: readonly ChoiceValue[]
}

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
    <div class="meanings" role="group" aria-label={`Words of ${column.name}`}>
      <span>{column.name}</span>
      {words.map((word) => (
        <Choice
          key={word}
          label={`“${word}” is`}
          isLabelled
          value={given[word] ?? ''}
          options={options}
          onValue={change(word)}
        />
      ))}
    </div>
  )
}

interface RatingOrderProps extends PartProps {
  readonly spec: TableSpec
}

/** The list of ratings from best to worst; ratings that are not in it are left out of moves, and withdrawn ones of a history. */
function RatingOrder({ spec, table, mapping, set }: RatingOrderProps) {
  const kept = useMemo(() => keptRows(table, mapping.only), [table, mapping.only])
  const columns = ratingColumns(spec, kept, mapping)
  const known = columns.filter((column) => column !== undefined)
  if (known.length < columns.length) return null
  const words = ratingsIn(known)
  const order = mapping.order ?? ratingOrder(words).order
  const out = words.filter((word) => !order.includes(word))
  const enter = (event: TargetedEvent<HTMLInputElement>) =>
    set({
      order: event.currentTarget.value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
      open: openWithout({ ...mapping, open: openWithout(mapping, 'last') }, 'order'),
    })
  return (
    <>
      <label class="order">
        Ratings, best to worst
        <input type="text" value={order.join(', ')} spellcheck={false} onChange={enter} />
      </label>
      {out.length > 0 && (
        <p class="hint">
          {spec.kind === 'history' ? 'Withdrawn, not rated: ' : 'Left out are moves from or to '}
          {out.slice(0, 8).join(', ')}
          {out.length > 8 ? ' …' : ''}.
        </p>
      )}
    </>
  )
}
