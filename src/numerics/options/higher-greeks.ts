/** Derivatives of delta, gamma and vega, for models whose prices are discounted normal probabilities and densities. */

export interface HigherGreeks {
  /** ∂delta/∂σ = ∂vega/∂S. */
  readonly vanna: number
  /** ∂vega/∂σ. */
  readonly volga: number
  /** −∂delta/∂T, per year that passes. */
  readonly charm: number
  /** ∂gamma/∂S. */
  readonly speed: number
  /** ∂gamma/∂σ. */
  readonly zomma: number
  /** −∂gamma/∂T, per year that passes. */
  readonly color: number
}

/**
 * Those Greeks that are within the range of double precision, as are all terms of them. A desk reads them near the money: an
 * option whose gamma can be stated is not refused because its speed cannot.
 */
export function stated(greeks: HigherGreeks): Partial<HigherGreeks> {
  const all = Object.entries(greeks)
  const finite = all.filter(([, greek]) => Number.isFinite(greek))
  return finite.length === all.length ? greeks : Object.fromEntries(finite)
}

/** size·sign(value) for products that are computed of factors not below 0; never −0. */
export const signed = (value: number, size: number): number => (value < 0 ? 0 - size : size)
