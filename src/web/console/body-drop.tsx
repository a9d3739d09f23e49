/** Takes the request of an operation without a table from a JSON file that is dropped on the page. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { entriesOfBody } from './entries.ts'
import { useDrop } from './use-drop.ts'

const LONGEST_BYTES = 5e6

export function BodyDrop({ form, onEntries }) {
  const [error, setError] = useState(null)
  useDrop(async (file) => {
    const entries = file.size > LONGEST_BYTES ? null : await entriesIn(form, file)
    if (entries !== null) onEntries(entries)
    setError(
      entries === null
        ? `${file.name} was not taken. It must be JSON: an object with fields of this page, such as ${form.fields[0].name}.`
        : null,
    )
  })
  return (
    <p class="error" role="alert" hidden={error === null}>
      {error}
    </p>
  )
}

async function entriesIn(form, file) {
  try {
    return entriesOfBody(form, JSON.parse(await file.text()))
  } catch {
    return null
  }
}
