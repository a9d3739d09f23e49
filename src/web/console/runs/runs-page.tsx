/** The kept runs of the account: opened again, compared, saved and deleted. */
import { useState } from 'preact/hooks'
import type { UserReceiptData } from '../../../../clients/typescript/types.ts'
import { AccountPage, titleOf } from '../account/account-page.tsx'
import { SmallButton } from '../buttons.tsx'
import { carryTo } from '../carried.ts'
import { addressOfPage } from '../link.ts'
import { Table } from '../list-table.tsx'
import { useLoaded, useReloaded } from '../loaded.tsx'
import { bytes, plural, short } from '../numbers.ts'
import type { Values } from '../operation.ts'
import { saveBlob, saveText } from '../save.ts'
import { send, useSession } from '../session.ts'
import { dateTime } from '../times.ts'
import { type Differences, inputDifferences, valueDifferences } from './differences.ts'
import type { Run } from './kept-runs.ts'
import { loadRuns, owner } from './own-runs.ts'

export default function RunsPage() {
  const { key } = useSession()
  return <AccountPage title="Runs">{key !== null && <Runs key={key.apiKey} />}</AccountPage>
}

interface Kept {
  readonly runs: readonly Run[]
  readonly used: number
  readonly most: number
}

async function kept(): Promise<Kept | string> {
  try {
    const ownedBy = await owner()
    if (ownedBy === null) return 'The service cannot be asked for the account, so its runs are not shown.'
    const { bytesUsed, MOST_BYTES, runsOf } = await loadRuns()
    return { runs: await runsOf(ownedBy), used: await bytesUsed(), most: MOST_BYTES }
  } catch {
    return 'This browser stores nothing for this page, so no runs are kept.'
  }
}

function Runs() {
  const [found, again] = useReloaded(kept, [])
  const [chosen, setChosen] = useState<readonly string[]>([])
  if (found === null) return <p class="hint">Loading …</p>
  if (typeof found === 'string') return <p class="empty">{found}</p>
  const { runs, used, most } = found
  // The earlier run first, so that the difference says what has changed since.
  const pair = runs.filter(({ id }) => chosen.includes(id)).toReversed()
  const choose = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2))
  const remove = async (ids: readonly string[]) => {
    await (await loadRuns()).removeRuns(ids)
    again()
  }
  return (
    <>
      <p class="hint">
        Runs are kept in this browser only, with their inputs, until you delete them; they take {bytes(used)}{' '}
        of {bytes(most)}. They belong to the account: another account that logs in here does not see them, and
        log out leaves them. Who uses this profile of the browser can read them with its tools.
      </p>
      {runs.length === 0 ? (
        <div class="empty">
          <p>No run is kept yet: “Keep this run” is below an answer of the service.</p>
        </div>
      ) : (
        <>
          <Table
            label="Kept runs"
            columns={['Name', 'Compare', 'Time', '(Result)', '']}
            rows={runs.map((run) => [
              <Name key={run.id} run={run} />,
              <input
                type="checkbox"
                aria-label={`Compare ${run.name}`}
                checked={chosen.includes(run.id)}
                onChange={() => choose(run.id)}
              />,
              dateTime(run.at),
              run.numbers[0] && `${run.numbers[0].label} ${short(run.numbers[0].value)}`,
              <Acts run={run} onRemove={() => remove([run.id])} />,
            ])}
          />
          {pair.length === 2 ? (
            <Comparison key={chosen.join()} a={pair[0]} b={pair[1]} />
          ) : (
            <p class="hint">Choose two runs to compare them.</p>
          )}
          <p class="actions">
            <SmallButton onClick={() => remove(runs.map(({ id }) => id))}>
              Delete all {plural(runs.length, 'run')}
            </SmallButton>
          </p>
        </>
      )}
    </>
  )
}

function Name({ run }: { readonly run: Run }) {
  const rename = async (name: string) => {
    const { keepRun } = await loadRuns()
    if (name.trim() !== '') await keepRun({ ...run, name: name.trim() })
  }
  return (
    <>
      <input
        class="run-name"
        aria-label={`Name of the run ${run.id}`}
        defaultValue={run.name}
        maxLength={100}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <span class="hint">{titleOf(run.path)}</span>
    </>
  )
}

interface ActsProps {
  readonly run: Run
  onRemove(): void
}

function Acts({ run, onRemove }: ActsProps) {
  const { given, id, name, path, receipt, reply, source } = run
  const act = (text: string, onClick: () => void) => (
    <button type="button" class="small quiet" aria-label={`${text}: ${name}`} onClick={onClick}>
      {text}
    </button>
  )
  const saveReceipt = async () => {
    const read = receipt
      ? null
      : await send<UserReceiptData>(`/user/receipt?request_id=${encodeURIComponent(id)}`)
    const data = receipt ?? (read?.success ? read.data : null)
    if (data !== null) saveText(JSON.stringify(data), `receipt-${id}.json`, 'application/json')
  }
  return (
    <span class="tools">
      {act('Open', () => carryTo(addressOfPage(path), { given, source, fields: null }))}
      {act('Answer', () => saveBlob(reply, `answer-${id}.json`))}
      {act('Receipt', saveReceipt)}
      {act('Delete', onRemove)}
    </span>
  )
}

interface ComparisonProps {
  readonly a: Run
  readonly b: Run
}

/** The inputs and results of two runs that differ. */
function Comparison({ a, b }: ComparisonProps) {
  const data = useLoaded(() => Promise.all([a, b].map(dataOf)), [a.id, b.id])
  return (
    <section class="chart comparison" aria-label="Comparison of two runs">
      {a.path !== b.path && (
        <p class="callout">
          These are runs of two computations: {titleOf(a.path)} and {titleOf(b.path)}.
        </p>
      )}
      <Differing title="Inputs that differ" {...inputDifferences(a, b)} names={[a.name, b.name]} />
      {data !== null && (
        <Differing
          title="Results that differ"
          {...valueDifferences(data[0], data[1])}
          names={[a.name, b.name]}
        />
      )}
    </section>
  )
}

const dataOf = async ({ reply }: Run): Promise<Values> => JSON.parse(await reply.text()).data

interface DifferingProps extends Differences {
  readonly title: string
  readonly names: readonly [string, string]
}

const Differing = ({ title, rows, same, names: [a, b] }: DifferingProps) => (
  <>
    <h2>{title}</h2>
    <Table label={title} columns={['Value', `(${a})`, `(${b})`, '(Difference)']} rows={rows} />
    {same > 0 && <p class="hint">{plural(same, 'value')} the same.</p>}
  </>
)
