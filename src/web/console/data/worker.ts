/** The worker that reads and sends large tables and computes previews on tables, so that the page stays responsive. */
// @ts-nocheck: to be converted

import { calibration } from '../../../numerics/results/variance-gamma.ts'
import { inWords } from '../fault-words.ts'
import { smiles } from '../kernels/calibration.ts'
import { models } from '../kernels/models.ts'
import { rowResults } from '../kernels/row-results.ts'
import { standingOf } from '../standing-of.ts'
import { arrowBody } from './arrow-body.ts'
import { readFiles } from './read-table.ts'
import { bodyOf, requestOf } from './request.ts'

const kernels = {
  ...models,
  modelsVarianceGammaCalibrate: { preview: calibration, model: smiles, resultOf: (data) => data },
}

let table = null
/** The fields of the latest preview. */
let previewed = null
/** The request that is running. */
let running = null
/** A function that computes the picture of the latest answer. */
let drawn = null

const tasks = {
  read,
  preview,
  call,
  model: () => ({ result: drawn() }),
  cancel: () => running?.abort(),
}

addEventListener('message', async ({ data: { id, task, ...given } }) => {
  const report = (progress) => postMessage({ id, progress })
  try {
    const { result, moved } = (await tasks[task](given, report)) ?? {}
    postMessage({ id, result }, moved ?? [])
  } catch (error) {
    postMessage({ id, fault: inWords(error) })
  }
})

async function read({ files, ...given }) {
  table = await readFiles(files, given)
  const columns = table.columns.map((column) => ({ ...column, values: column.values.slice() }))
  return { result: { ...table, columns }, moved: columns.map(({ values }) => values.buffer) }
}

async function preview({ operation, fields, others }) {
  if (fields !== undefined) previewed = fields
  const values = { ...others, ...previewed }
  const found = await finished(kernels[operation].preview(values))
  return { result: { result: found, model: kernels[operation].model(values, found) } }
}

/** The longest time between pauses. Without pauses, Chromium stops a busy worker only after two seconds. */
const LONGEST_STEP_MS = 30

/** The result of a preview. Between the steps of a generator there are pauses, in which the worker can be closed. */
async function finished(given) {
  if (typeof given.next !== 'function') return given
  let paused = performance.now()
  for (;;) {
    const { done, value } = given.next()
    if (done) return value
    if (performance.now() - paused < LONGEST_STEP_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    paused = performance.now()
  }
}

/**
 * Sends a request and returns the answer without its picture, which the task `model` computes afterwards. Uses XMLHttpRequest,
 * because fetch does not report the progress of an upload.
 */
async function call({ operation, path, headers, spec, mapping, others }, report) {
  report({ phase: 'Preparing', share: null })
  const { fields } = requestOf(spec, table, mapping)
  const json = () => ({ type: 'application/json', pieces: [bodyOf(spec, fields, others)] })
  const { type, pieces } = arrowBody(fields, others) ?? json()
  const request = new XMLHttpRequest()
  running = request
  const began = performance.now()
  const outcome = await new Promise((resolve) => {
    request.open('POST', path)
    request.responseType = 'arraybuffer'
    for (const [name, value] of Object.entries({ ...headers, 'Content-Type': type }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) =>
      report({
        phase: loaded < total ? 'Uploading' : 'Computing',
        share: loaded < total ? loaded / total : null,
      })
    request.upload.onload = () => report({ phase: 'Computing', share: null, isSent: true })
    request.onprogress = ({ loaded, total }) =>
      report({ phase: 'Downloading', share: total > 0 ? loaded / total : null })
    request.onload = () => resolve('reply')
    request.onerror = () => resolve('lost')
    request.onabort = () => resolve('cancelled')
    // Chromium takes ten times as long to send the same bytes as an array.
    request.send(new Blob(pieces))
  })
  running = null
  if (outcome !== 'reply') return { result: { outcome } }
  const ms = performance.now() - began
  const text = new TextDecoder().decode(request.response)
  const reply = {
    outcome,
    status: request.status,
    ms,
    standing: standingOf({ get: (name) => request.getResponseHeader(name) }),
    size: request.response.byteLength,
  }
  if (request.status !== 200) return { result: { ...reply, text } }
  const { data } = JSON.parse(text)
  const values = { ...others, ...fields }
  const { model, resultOf } = spec.kind === 'rows' ? rowResults : kernels[operation]
  const found = resultOf(data, values)
  drawn = () => model(values, found)
  return {
    result: {
      ...reply,
      data: withoutLists(data),
      result: found,
      blob: new Blob([request.response], { type: 'application/json' }),
    },
  }
}

/** The values of a reply without its long lists, which are in `result` and `blob`. */
const withoutLists = (data) => Object.fromEntries(Object.entries(data).filter(([, value]) => !isLong(value)))

const isLong = (value) =>
  Array.isArray(value)
    ? value.length > 200
    : value !== null && typeof value === 'object' && Object.values(value).some(isLong)
