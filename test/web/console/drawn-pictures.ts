/** The pictures of an operation as values: what each chart is given, without a browser. */
import assert from 'node:assert/strict'
import { basename, join } from 'node:path'
import { build, type Plugin, stop } from 'esbuild'
import { type Form, forms } from '../../../src/derive/forms.ts'
import { sources } from '../../../src/derive/sources.ts'

const web = join(import.meta.dirname, '../../../src/web/console')

/** Views without a document, in place of Preact: a component is called once, with its first state. */
const VIEWS = `export const jsx = (type, props) => ({ type, props })
  export const jsxs = jsx
  export const Fragment = ({ children }) => children
  export const useState = (first) => [typeof first === 'function' ? first() : first, () => {}]
  export const useMemo = (make) => make()
  export const useCallback = (call) => call
  export const useRef = (current) => ({ current })
  export const useId = () => 'id'
  export const useEffect = () => {}
  export const useLayoutEffect = () => {}`

/** Modules of the console that need a browser, or that the service makes. */
const stand: Readonly<Record<string, string>> = {
  'draw-chart.ts': 'export const drawChart = () => {}',
  hooks: VIEWS,
  'jsx-runtime': VIEWS,
  'use-steps.ts': `export function useSteps(make) {
    const steps = make()
    let step = steps.next()
    while (!step.done) step = steps.next()
    return { value: step.value, isEarlier: false }
  }`,
  'palette.ts': `export const palette = () => ({})
    export const useScheme = () => 'light'
    export const fontFamily = () => ''
    export const font = () => ''`,
  'layers.ts': [
    'point',
    'upright',
    'path',
    'vertical',
    'band',
    'bars',
    'pairedBars',
    'dots',
    'labelled',
    'horizontal',
  ]
    .map((kind) => `export const ${kind} = (...given) => ({ kind: '${kind}', given })`)
    .join('\n'),
  'session.ts': `export const useSession = () => ({ key: null, credits: null })
    export const isGuest = () => false
    export const send = () => null`,
  'sign-up.js': `export default ${JSON.stringify({ costs: {}, initialCredits: { registered: 1, guest: 1 } })}`,
  'forms.js': `export default ${JSON.stringify(forms(sources))}`,
}

const stands: Plugin = {
  name: 'stands',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /(\.[jt]sx?|\/hooks|\/jsx-runtime)$/ }, ({ path }) =>
      basename(path) in stand ? { path: basename(path), namespace: 'stand' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'stand' }, ({ path }) => ({ contents: stand[path], resolveDir: web }))
  },
}

const ENTRY = `export { moduleOf } from './operations/index.ts'
  export { operations as formulas } from './operations/formulas.ts'
  export { operations as tables, requestOf, textEntry, textOfExample } from './operations/tables.ts'
  export { withDefaults } from './operation.ts'`

const { outputFiles } = await build({
  stdin: { contents: ENTRY, resolveDir: web },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  logLevel: 'silent',
  plugins: [stands],
})
await stop()
const made = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
)

/** A component with its properties. */
export interface Part {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: each component has properties of its own
  readonly props: any
}

// biome-ignore lint/suspicious/noExplicitAny: the console is JavaScript
type Values = any

export interface Page {
  readonly form: Form
  /** The values with which the page computes for a request in JSON, and its table. */
  given(body: object): { readonly values: Values; readonly table: Values }
  readonly preview: (values: Values) => Values
  readonly resultOf: (data: Values, values: Values) => Values
  headline(data: Values, table: Values): { name: string; value: number }[]
  /** All components below the picture of a result. */
  parts(given: { values: Values; table: Values }, data: Values, result: Values): Part[]
}

export async function pageOf(path: string): Promise<Page> {
  const form = forms(sources).find((one) => one.path === path)!
  const operation = { ...made.formulas, ...made.tables }[made.moduleOf(path.replace('/quantlib/', ''))]
  const spec = operation.table ?? operation.tableOf?.(form) ?? null
  const given = (body: object) => {
    const values = made.withDefaults(form.fields, body)
    if (spec === null) return { values, table: null }
    const { table, mapping, error } = made.textEntry(spec, made.textOfExample(spec, body))
    assert.equal(error, null)
    const { asks, fields, shown } = made.requestOf(spec, table, { ...mapping, guesses: [] })
    assert.deepEqual(asks, [], path)
    return { values: { ...values, ...fields }, table: shown }
  }
  const preview = (values: Values) => finished(operation.preview(values))
  return {
    form,
    given,
    preview,
    resultOf: operation.resultOf ?? ((data: Values) => data),
    headline: operation.headline,
    parts: ({ values, table }, data, result) => {
      const model = operation.model?.(values, result)
      const page = { form, sent: values, move: () => {}, restore: () => {} }
      const props = { values, table, page, model, data: { ...data, ...result } }
      return [...partsOf({ type: operation.Picture, props })]
    },
  }
}

/** The value of a generator that runs to its end, or the value itself. */
function finished(given: Values): Values {
  if (typeof given?.next !== 'function') return given
  let step = given.next()
  while (!step.done) step = given.next()
  return step.value
}

function* partsOf(view: Values): Generator<Part> {
  if (Array.isArray(view)) for (const one of view) yield* partsOf(one)
  else if (typeof view?.type === 'function') {
    yield { name: view.type.name, props: view.props }
    // A chart is drawn on a canvas from its properties.
    if (view.type.name !== 'Chart') yield* partsOf(view.type(view.props))
  } else if (view?.props) yield* partsOf(view.props.children)
}
