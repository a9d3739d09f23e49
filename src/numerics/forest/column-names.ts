/** Names of columns, by which a forest finds the columns of later rows in whatever order these come. */
import { DomainError } from '../domain-error.ts'
import type { ForestModel } from './forest-model.ts'
import type { Forest } from './forest-scores.ts'

/** The most names that a message lists. */
const MOST_LISTED = 3

/** Refuses names unless there are none, or one for each column and no two alike. */
export function checkNames(names: readonly string[], columns: number): void {
  if (names.length === 0) return
  if (names.length !== columns)
    throw new DomainError('columns', `has ${names.length} names but {X} has ${columns} columns`)
  if (!names.every((name) => name.isWellFormed()))
    throw new DomainError('columns', 'has a name that is not Unicode text')
  const places = new Map(names.map((name, place) => [name, place]))
  const twice = names.find((name, place) => places.get(name) !== place)
  if (twice !== undefined) throw new DomainError('columns', `names ${JSON.stringify(twice)} twice`)
}

/**
 * The forest for rows whose columns have these names: its tests read the column of the name that they were grown on. Refuses
 * other names than those of the fit. A model without names, or rows without, are taken by position.
 */
export function forestFor({ forest, names }: ForestModel, columns: readonly string[]): Forest {
  if (names.length === 0 || columns.length === 0) return forest
  const places = new Map(columns.map((name, place) => [name, place]))
  const fitted = new Set(names)
  const absent = names.filter((name) => !places.has(name))
  const unknown = columns.filter((name) => !fitted.has(name))
  if (absent.length + unknown.length > 0)
    throw new DomainError(
      'columns',
      `differs from the columns that {model} was fitted to: ${[...listed('lacks', absent), ...listed('has also', unknown)].join(', ')}`,
    )
  if (names.every((name, place) => columns[place] === name)) return forest
  const order = names.map((name) => places.get(name)!)
  const trees = forest.trees.map((tree) => ({ ...tree, column: tree.column.map((place) => order[place]) }))
  return { ...forest, trees }
}

function listed(verb: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MOST_LISTED).map((name) => JSON.stringify(name))
  const others = names.length - shown.length
  return [`${verb} ${shown.join(', ')}${others > 0 ? ` and ${others} others` : ''}`]
}
