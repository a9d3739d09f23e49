/** The rule of Gauss and Legendre on (0, 1). */

export interface Rule {
  readonly nodes: Float64Array
  readonly weights: Float64Array
}

/** Newton's method on the Legendre polynomial, from Tricomi's approximation of its roots. */
export function gaussLegendre(size: number): Rule {
  const nodes = new Float64Array(size)
  const weights = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    let root = Math.cos((Math.PI * (i + 0.75)) / (size + 0.5))
    let slope = 1
    for (let step = 0; step < 8; step++) {
      let [value, before] = [1, 0]
      for (let j = 0; j < size; j++)
        [value, before] = [((2 * j + 1) * root * value - j * before) / (j + 1), value]
      slope = (size * (root * value - before)) / (root * root - 1)
      root -= value / slope
    }
    nodes[i] = 0.5 * (1 - root)
    weights[i] = 1 / ((1 - root * root) * slope * slope)
  }
  return { nodes, weights }
}
