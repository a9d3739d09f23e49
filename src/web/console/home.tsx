/** The first page: a description, one picture and one button. */
import { useMemo, useState } from 'preact/hooks'
import { price } from '../../numerics/results/black-scholes.ts'
import { LinkButton } from './buttons.tsx'
import { FileButton } from './file-button.tsx'
import { FILE_PAGE, handOver } from './handed-file.ts'
import { PriceCurve } from './insight/charts.tsx'
import { blackScholes } from './kernels/options.ts'
import { short } from './numbers.ts'
import { accountCredits, CLOSED, canBeGuest, canRegister, guestCredits } from './offers.ts'
import { loadedSearch } from './scripts.ts'
import { useSession } from './session.ts'

const start = {
  spot: 100,
  strike: 105,
  risk_free_rate: 0.05,
  volatility: 0.2,
  time_to_maturity: 1,
  dividend_yield: 0,
  option_type: 'call' as const,
}

const offer = canBeGuest
  ? `No e-mail address needed: a guest key holds ${guestCredits}.`
  : canRegister
    ? `An account starts with ${accountCredits}.`
    : CLOSED

/** An area, and the links to its operations, each with a line that says what it computes. */
export type Area = readonly [
  name: string,
  links: readonly { readonly href: string; readonly title: string; readonly line: string }[],
]

interface HomeProps {
  /** The address of the page of a price. */
  readonly address: string
  readonly areas: readonly Area[]
}

export default function Home({ address, areas }: HomeProps) {
  const { key } = useSession()
  const [volatility, setVolatility] = useState(start.volatility)
  const values = useMemo(() => ({ ...start, volatility }), [volatility])
  const data = price(values)
  const Miniature = loadedSearch()?.Miniature
  return (
    <div class="home">
      <section class="pitch">
        <h1>Quantitative finance over HTTP, to the last digit.</h1>
        <p class="lead">
          Option prices, Greeks, credit scores, rating migration, outliers and anomalies: one JSON request
          each, from your own server.
        </p>
        <p class="actions">
          <LinkButton href={address}>{key === null ? 'Price an option' : 'Open the console'}</LinkButton>{' '}
          <FileButton label="Choose a file …" kind="quiet" onFile={(file) => handOver({ file }, FILE_PAGE)} />{' '}
          <a href="/docs">Read the reference</a>
        </p>
        <p>
          Drop a file anywhere, or paste cells: an option chain, a portfolio, a rating history. The
          computations that take it are offered.
        </p>
        <p class="hint">{offer} Previews and pictures are free.</p>
      </section>
      <section class="glance" aria-label="A Black–Scholes price">
        <p class="turn">
          <label for="glance">
            Volatility <output>{short(volatility)}</output>
          </label>
          <input
            id="glance"
            class="slider"
            type="range"
            min="1"
            max="100"
            value={Math.round(volatility * 100)}
            aria-valuetext={String(volatility)}
            onInput={(event) => setVolatility(Number(event.currentTarget.value) / 100)}
          />
          <span class="price">
            Call price <strong>{data.price.toFixed(4)}</strong>
          </span>
        </p>
        <PriceCurve model={blackScholes} values={values} price={data.price} axis="spot" height={250} />
      </section>
      <nav aria-label="Computations">
        {areas.map(([area, links]) => (
          <>
            <h2>{area}</h2>
            <ul class="inside">
              {links.map(({ href, title, line }) => (
                <li>
                  <a href={href}>
                    <span class="miniature">{Miniature && <Miniature path={href} />}</span>
                    <strong>{title}</strong>
                    <span class="hint">{line}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
      </nav>
    </div>
  )
}
