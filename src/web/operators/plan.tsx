/** The plan: a form of its values, the changes that it would make with their command and request, and the versions. */
import { useState } from 'preact/hooks'
import type {
  PlanData,
  PlanHistoryData,
  ReportsCostsData,
} from '../../../clients/typescript/operator-acts.ts'
import { type CostChange, touchedBy, touchedText } from '../../operators/cost-change.ts'
import { QuietButton, Status } from '../console/buttons.tsx'
import { useLoaded } from '../console/loaded.tsx'
import { numberFrom, whole } from '../console/numbers.ts'
import type { Refusal, Reply } from '../console/replies.ts'
import { actAt, Same } from './act.tsx'
import { type ActData, messageOf, Waits } from './outcome.tsx'
import { AccountLink, Loaded, Problem, Table, Time } from './parts.tsx'
import { send, useReply, withQuery } from './service.ts'

export default function Plan() {
  const [reply, again] = useReply<PlanData>('v1/plan')
  const [history, againHistory] = useReply<PlanHistoryData>(withQuery('v1/plan/history', { limit: 20 }))
  const changed = () => {
    again()
    againHistory()
  }
  return (
    <div>
      <h1>Plan</h1>
      <Loaded reply={reply} onRetry={again}>
        {(plan) => <PlanForm key={plan.version} plan={plan} onChange={changed} />}
      </Loaded>
      <section>
        <h2>Versions</h2>
        <Loaded reply={history} onRetry={againHistory}>
          {({ items }) => <Versions items={items} />}
        </Loaded>
      </section>
    </div>
  )
}

const TIERS = ['guest', 'free', 'basic', 'standard', 'pro'] as const

type Tier = (typeof TIERS)[number]
type Texts = Readonly<Record<string, string>>
/** Credits of a started second by operation. */
type Costs = Readonly<Record<string, number>>

/** The values of a plan as texts, by their names; the text of no daily limit is empty. */
const textsOf = ({
  costs,
  initial_credits: initial,
  low_credits: low,
  price,
  tiers,
  work,
}: PlanData): Texts => ({
  ...Object.fromEntries(
    TIERS.flatMap((tier) => [
      [`tiers/${tier} an hour`, String(tiers[tier].hour)],
      [`tiers/${tier} a day`, String(tiers[tier].day ?? '')],
      [`work/${tier}`, String(work[tier])],
    ]),
  ),
  'initial_credits/registered': String(initial.registered),
  'initial_credits/guest': String(initial.guest),
  low_credits: String(low),
  price: price === null ? '' : `${price.amount} ${price.currency}`,
  ...Object.fromEntries(Object.entries(costs).map(([path, cost]) => [`costs${path}`, String(cost)])),
})

/** The request that sets the changed values; an empty text restores the value of the settings. */
function requestOf(plan: PlanData, before: Texts, texts: Texts, note: string) {
  const entry = (name: string) => (texts[name] ?? '').trim()
  const isChanged = (name: string) => entry(name) !== before[name]
  const value = (name: string) => (entry(name) === '' ? null : numberFrom(texts[name] ?? '', true))
  const changed = (names: readonly string[], prefix: string) =>
    Object.fromEntries(names.filter(isChanged).map((name) => [name.slice(prefix.length), value(name)]))
  const tiers = TIERS.filter((tier) => ['an hour', 'a day'].some((of) => isChanged(`tiers/${tier} ${of}`)))
  const limits = (tier: Tier) => {
    const hour = value(`tiers/${tier} an hour`)
    return hour === null ? null : { hour, day: value(`tiers/${tier} a day`) }
  }
  const parts = {
    tiers: Object.fromEntries(tiers.map((tier) => [tier, limits(tier)])),
    work: changed(
      TIERS.map((tier) => `work/${tier}`),
      'work/',
    ),
    initial_credits: changed(['initial_credits/registered', 'initial_credits/guest'], 'initial_credits/'),
    costs: changed(
      Object.keys(before).filter((name) => name.startsWith('costs/')),
      'costs',
    ),
  }
  return {
    version: plan.version,
    ...Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0)),
    ...(isChanged('price') && { price: priceFrom(entry('price')) }),
    ...(isChanged('low_credits') && { low_credits: value('low_credits') }),
    ...(note.trim() !== '' && { note: note.trim() }),
  }
}

/** The changed costs of operations; an empty text restores that of the settings. */
const changedCosts = ({ costs, settings_costs: ofSettings }: PlanData, texts: Texts): CostChange =>
  Object.fromEntries(
    Object.entries(costs as Costs).flatMap(([path, from]) => {
      const text = texts[`costs${path}`]?.trim() ?? ''
      const to = text === '' ? ((ofSettings as Costs)[path] ?? from) : Number(text)
      return /^\d*$/.test(text) && to !== from ? [[path, { from, to }]] : []
    }),
  )

/** `0.002 EUR`; a text of another form is sent as the amount, so that the service says what is wrong. */
function priceFrom(text: string) {
  if (text === '') return null
  const [, amount = text, currency = ''] = /^(\S+)\s*([A-Z]{3})$/.exec(text) ?? []
  return { amount, currency }
}

interface PlanFormProps {
  readonly plan: PlanData
  onChange(): void
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: to be divided
function PlanForm({ plan, onChange }: PlanFormProps) {
  const before = textsOf(plan)
  const [texts, setTexts] = useState(before)
  const [note, setNote] = useState('')
  const [reply, setReply] = useState<Reply<ActData> | null>(null)
  /** The costs for which it was shown whom they touch. */
  const [askedFor, setAskedFor] = useState('')
  const act = actAt('plan/set')
  const values = requestOf(plan, before, texts, note)
  const costs = changedCosts(plan, texts)
  const asked = Object.keys(costs).length === 0 ? '' : JSON.stringify(costs)
  const isAsked = asked !== '' && askedFor === asked
  const changes = Object.keys(before).filter((name) => texts[name]?.trim() !== before[name])
  const cell = (name: string, label: string) => (
    <input
      name={name}
      aria-label={label}
      inputmode="numeric"
      autocomplete="off"
      size={8}
      readonly={act === undefined}
      value={texts[name]}
      onInput={({ currentTarget }) => setTexts((all) => ({ ...all, [name]: currentTarget.value }))}
    />
  )
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (changes.length === 0) return
    if (askedFor !== asked) return setAskedFor(asked)
    const got = await send<ActData>('v1/plan/set', values)
    setReply(got)
    if (got.success) onChange()
  }
  return (
    <form class="plan" aria-label="Plan" onSubmit={submit}>
      <p class="hint">
        {headOf(plan)} An empty value restores that of the settings; an empty day has no limit.
      </p>
      <div class="cards">
        <section class="card">
          <h2>Computations by account type</h2>
          <Table
            label="Limits"
            columns={['Type', '(An hour)', '(A day)']}
            rows={TIERS.map((tier) => [
              tier,
              cell(`tiers/${tier} an hour`, `${tier}, an hour`),
              cell(`tiers/${tier} a day`, `${tier}, a day`),
            ])}
          />
        </section>
        <section class="card">
          <h2>Processor time</h2>
          <Table
            label="Processor time"
            columns={['Type', '(Seconds an hour)']}
            rows={TIERS.map((tier) => [tier, cell(`work/${tier}`, `${tier}, processor seconds an hour`)])}
          />
        </section>
        <section class="card">
          <h2>Credits</h2>
          <Table
            label="Credits"
            columns={['Value', '(Credits)']}
            rows={[
              ['A new account', cell('initial_credits/registered', 'Credits of a new account')],
              ['A new guest key', cell('initial_credits/guest', 'Credits of a new guest key')],
              ['The event credits.low', cell('low_credits', 'Balance of the event credits.low')],
              ['Price of a credit', cell('price', 'Price of a credit, such as 0.002 EUR')],
            ]}
          />
        </section>
      </div>
      <section>
        <h2>Credits for each started second of a call</h2>
        <Table
          label="Costs"
          columns={['Operation', '(Credits)']}
          rows={Object.keys(plan.costs).map((path) => [
            <code>{path}</code>,
            cell(`costs${path}`, `Credits of ${path}`),
          ])}
        />
      </section>
      {act !== undefined && (
        <section class={changes.length > 0 ? 'pending' : undefined} aria-live="polite">
          <h2>What changes</h2>
          <Table
            label="What changes"
            columns={['Value', '(Now)', '(Then)']}
            empty="Nothing yet."
            rows={changes.map((name) => [
              name.replace(/^costs/, '').replaceAll('_', ' '),
              before[name] || (name === 'price' ? 'none' : 'no limit'),
              texts[name]?.trim() ||
                (name.endsWith('a day') ? 'no limit' : name === 'price' ? 'none' : 'settings'),
            ])}
          />
          {changes.length > 0 && (
            <>
              <label class="note">
                Why{' '}
                <input
                  name="note"
                  value={note}
                  maxlength={200}
                  autocomplete="off"
                  onInput={({ currentTarget }) => setNote(currentTarget.value)}
                />
              </label>
              <Same act={act} values={values} />
              {isAsked && <Touched change={costs} />}
              <div class="actions">
                <button type="submit">{isAsked ? 'Change these costs' : 'Change the plan'}</button>
                <QuietButton onClick={() => setTexts(before)}>Discard</QuietButton>
              </div>
            </>
          )}
          {reply?.status === 202 ? (
            <Waits text={messageOf(reply)} onClose={() => setReply(null)} />
          ) : (
            reply !== null && !reply.success && <Problem reply={reply} />
          )}
        </section>
      )}
    </form>
  )
}

const headOf = ({ made_at: at, made_by: by, version }: PlanData) =>
  version === 0 || at === null ? (
    'These are the settings; no version was made.'
  ) : (
    <>
      Version {version}, made by {by} <Time at={at} />, in force on every node within 5 s.
    </>
  )

const Versions = ({ items }: Pick<PlanHistoryData, 'items'>) => (
  <Table
    label="Versions"
    columns={['Version', 'Made', 'By', 'Why', 'What changed']}
    empty="None was made."
    rows={items.map((one) => [
      one.version,
      one.made_at && <Time at={one.made_at} />,
      one.made_by,
      one.note ?? '',
      <ul class="plain">
        {one.changes.map(({ from, item, to }) => (
          <li>
            {item.replace(/^costs/, '').replaceAll('_', ' ')}: {wordsOf(from)} → {wordsOf(to)}
          </li>
        ))}
      </ul>,
    ])}
  />
)

const wordsOf = (value: PlanHistoryData['items'][number]['changes'][number]['to']) =>
  value === null
    ? 'settings'
    : typeof value === 'number'
      ? whole(value)
      : 'currency' in value
        ? `${value.amount} ${value.currency}`
        : `${whole(value.hour)} an hour${value.day === null ? '' : `, ${whole(value.day)} a day`}`

type Cost = ReportsCostsData['items'][number]

/** The most accounts that are listed; the sums are of all. */
const MOST = 20

function Touched({ change }: { readonly change: CostChange }) {
  const month = new Date().toISOString().slice(0, 7)
  const read = useLoaded(() => costsOf(month), [month])
  if (read === null) return <Status>Reading the calls of this month …</Status>
  if (!Array.isArray(read)) return <Problem reply={read as Refusal} />
  const touched = touchedBy(change, read as Cost[])
  return (
    <>
      <p>
        <strong>{touchedText(touched)}</strong>
      </p>
      {touched.length > 0 && (
        <Table
          label="Accounts that the costs touch"
          columns={['Account', '(Calls this month)', '(Credits)', '(With the new costs)']}
          rows={touched
            .slice(0, MOST)
            .map((one) => [
              <AccountLink account={one} />,
              whole(one.calls),
              whole(one.paid),
              whole(one.newly),
            ])}
        />
      )}
      {touched.length > MOST && <p class="hint">The {MOST} that would pay most are shown.</p>}
    </>
  )
}

/** The costs of all accounts, or the refusal of a page of them. */
async function costsOf(month: string): Promise<readonly Cost[] | Refusal> {
  const items: Cost[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Reply<ReportsCostsData> = await send<ReportsCostsData>(
      withQuery('v1/reports/costs', { month, limit: 1000, cursor }),
    )
    if (!page.success) return page
    items.push(...page.data.items)
    cursor = page.data.next_cursor
  }
  return items
}
