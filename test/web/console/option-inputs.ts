/** Drawn inputs of options, for the pages and the pictures of prices. */
import fc from 'fast-check'

export const between = (min: number, max: number) =>
  fc.double({ noNaN: true, min, max }).map((value) => value + 0)

export const varianceGamma = {
  S: between(50, 150),
  K: between(50, 150),
  T: between(0.1, 3),
  r: between(0, 0.1),
  q: between(0, 0.05),
  sigma: between(0.06, 0.5),
  theta_vg: between(-0.3, 0.1),
  nu: between(0.05, 0.6),
}
