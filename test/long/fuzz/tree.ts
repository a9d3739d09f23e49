/** A tree for JSON text that may be invalid: objects may repeat a name, and a leaf is any text. */
export type Tree =
  | { readonly kind: 'object'; readonly fields: [name: string, value: Tree][] }
  | { readonly kind: 'array'; readonly items: Tree[] }
  | { readonly kind: 'leaf'; text: string }

export const leaf = (text: string): Tree => ({ kind: 'leaf', text })

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(treeOf) }
  if (value !== null && typeof value === 'object')
    return { kind: 'object', fields: Object.entries(value).map(([name, inner]) => [name, treeOf(inner)]) }
  return leaf(JSON.stringify(value))
}

/** @param space whitespace around every comma and colon */
export function textOf(tree: Tree, space = ''): string {
  if (tree.kind === 'leaf') return tree.text
  const comma = `${space},${space}`
  if (tree.kind === 'array') return `[${tree.items.map((item) => textOf(item, space)).join(comma)}]`
  const fields = tree.fields.map(
    ([name, value]) => `${JSON.stringify(name)}${space}:${space}${textOf(value, space)}`,
  )
  return `{${fields.join(comma)}}`
}

/** A value inside a tree, with functions to replace or remove it. */
export interface Place {
  readonly tree: Tree
  put(other: Tree): void
  /** Removes the value from its array or object. */
  remove(): void
}

const MOST_PLACES = 200

/** The first MOST_PLACES places of a tree, without its root. */
export function placesOf(root: Tree): Place[] {
  const places: Place[] = []
  const visit = (tree: Tree): void => {
    if (tree.kind === 'leaf') return
    const children: Tree[] = tree.kind === 'array' ? tree.items : tree.fields.map(([, value]) => value)
    for (const child of children) {
      if (places.length >= MOST_PLACES) return
      places.push(placeIn(tree, child))
      visit(child)
    }
  }
  visit(root)
  return places
}

function placeIn(parent: Exclude<Tree, { kind: 'leaf' }>, child: Tree): Place {
  if (parent.kind === 'array') {
    const { items } = parent
    const at = (change: (index: number) => void) => {
      const index = items.indexOf(child)
      if (index !== -1) change(index)
    }
    return {
      tree: child,
      put: (other) => at((index) => items.splice(index, 1, other)),
      remove: () => at((index) => items.splice(index, 1)),
    }
  }
  const { fields } = parent
  const at = (change: (index: number) => void) => {
    const index = fields.findIndex(([, value]) => value === child)
    if (index !== -1) change(index)
  }
  return {
    tree: child,
    put: (other) =>
      at((index) => {
        fields[index][1] = other
      }),
    remove: () => at((index) => fields.splice(index, 1)),
  }
}
