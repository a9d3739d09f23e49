/** A table as input: typed, pasted, dropped or from a file. Long ones are read in a worker and shown by their size. */
import { html, useId, useRef } from './html.js'
import { labelOf } from './labels.js'
import { bytes, plural } from './numbers.js'
import { textEntry } from './table-entry.js'
import { LONGEST_TEXT, useTableFile } from './use-table-file.js'

/**
 * `given`: `{ text, table, worker, file, chosen, error }`, the present entry, as `onChange` gets it. A table has a worker only if
 * it is large.
 */
export function TableInput({ spec, field, given, error, onChange }) {
  const id = useId()
  const picker = useRef(null)
  const shownError = error ?? given.error
  const change = (entry) => {
    if (entry.worker !== given.worker) given.worker?.close()
    onChange(entry)
  }
  const { progress, take, stop } = useTableFile({ spec, chosen: given.chosen, change })
  const paste = (event) => {
    const text = event.clipboardData.getData('text')
    if (text.length <= LONGEST_TEXT) return
    event.preventDefault()
    take(new Blob([text]), 'Pasted text')
  }
  const drop = (event) => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) take(file, file.name)
  }
  const pick = (event) => {
    const [file] = event.currentTarget.files
    if (file) take(file, file.name)
    event.currentTarget.value = ''
  }
  const { table } = given
  const title =
    { matrix: labelOf(spec.field ?? ''), rows: 'Rows' }[spec.kind] ?? spec.fields.map(labelOf).join(' and ')
  const wire = spec.kind === 'rows' ? 'columns' : (spec.field ?? spec.fields.join(', '))
  return html`<div class="field table-input" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
    <label for=${given.file ? `${id}-file` : id}>${title}<code class="wire">${wire}</code></label>
    ${
      progress !== null
        ? html`<div class="file-card"><${Progress} ...${progress} /><button type="button" class="small quiet" onClick=${stop}>Cancel</button></div>`
        : given.file
          ? html`<div class="file-card">
              <p><strong>${given.file.name}</strong> <span class="hint">${bytes(given.file.size)}</span></p>
              <button type="button" class="small quiet" onClick=${() => change(textEntry(spec, ''))}>Remove</button>
            </div>`
          : html`<textarea id=${id} name=${wire.replaceAll(',', '')} rows=${spec.kind === 'columns' ? 5 : 7} spellcheck="false" autocomplete="off" value=${given.text}
              placeholder="one row per line, or JSON" aria-invalid=${shownError ? 'true' : undefined} aria-describedby=${`${id}-hint ${id}-error`}
              onInput=${(event) => onChange(textEntry(spec, event.currentTarget.value, given.chosen))} onPaste=${paste}></textarea>`
    }
    <p class="error" id=${`${id}-error`} hidden=${!shownError}>${shownError}</p>
    <p class="hint" id=${`${id}-hint`}>${table ? described(table) : (field?.description ?? 'Paste from a spreadsheet, or choose a file.')}</p>
    ${(spec.kind === 'rows' || (spec.kind === 'columns' && table?.columns > 1)) && table && html`<${ColumnChoice} spec=${spec} given=${given} onChange=${onChange} />`}
    <p class="file"><button type="button" class="small quiet" id=${`${id}-file`} onClick=${() => picker.current.click()}>Choose a file …</button>
      <input ref=${picker} type="file" hidden accept=".csv,.tsv,.txt,.json" aria-label=${`File for ${title}`} onChange=${pick} /> <span class="hint">CSV, TSV, JSON; or drop it here</span></p>
  </div>`
}

function ColumnChoice({ spec, given, onChange }) {
  const choose = (which) => (event) =>
    onChange({
      ...given,
      chosen: given.chosen.map((column, i) => (i === which ? Number(event.currentTarget.value) : column)),
    })
  const only = spec.kind === 'rows'
  return html`<p class=${only ? 'axes sources' : 'axes'}>${spec.fields.map(
    (name, i) => html`<label>${labelOf(name)}
      <select value=${given.chosen[i]} onChange=${choose(i)}>${only && html`<option value="-1" selected=${given.chosen[i] === -1}>one value, below</option>`}${given.table.names.map((column, at) => html`<option value=${at} selected=${at === given.chosen[i]}>${column}</option>`)}</select>
    </label>`,
  )}</p>`
}

export function Progress({ phase, share }) {
  const percent = share === null || share === undefined ? null : Math.round(100 * share)
  return html`<p class="progress" role="status"><span>${phase}${percent === null ? ' …' : ` ${percent} %`}</span>
    <progress max="100" value=${percent ?? undefined} aria-label=${phase}></progress></p>`
}

const described = ({ rows, columns, hasHeader, labels, separator }) =>
  [
    `${plural(rows, 'row')} × ${plural(columns, 'column')}`,
    hasHeader && 'headings recognised',
    labels && 'row labels recognised',
    separator && `separated by ${separator}`,
  ]
    .filter((part) => part)
    .join(' · ')
