/**
 * Chooses the test of each pair: every test once in order, then where another pair tells most. It is told how many of
 * both sides passed, never which: each discordant pair stays a fair coin if no test changed.
 */
export class PairChoice {
  /** By test: the pairs chosen so far, those with known outcomes, and the passes in these. */
  readonly #chosen: Uint32Array
  readonly #known: Uint32Array
  readonly #passes: Uint32Array
  readonly #worth: Float64Array
  #pairs = 0

  constructor(tests: number) {
    this.#chosen = new Uint32Array(tests)
    this.#known = new Uint32Array(tests)
    this.#passes = new Uint32Array(tests)
    this.#worth = new Float64Array(tests)
  }

  /** Returns the test of the next pair, the first in order of equally useful ones. */
  next(): number {
    const test = this.#pairs < this.#worth.length ? this.#pairs : this.#mostUseful()
    this.#pairs++
    this.#chosen[test] = (this.#chosen[test] ?? 0) + 1
    this.#update(test)
    return test
  }

  /** Takes the outcome of a pair into account: how many of both sides passed. */
  learn(test: number, passes: number): void {
    this.#known[test] = (this.#known[test] ?? 0) + 1
    this.#passes[test] = (this.#passes[test] ?? 0) + passes
    this.#update(test)
  }

  #mostUseful(): number {
    let best = 0
    for (let test = 1; test < this.#worth.length; test++) {
      if ((this.#worth[test] ?? 0) > (this.#worth[best] ?? 0)) best = test
    }
    return best
  }

  /**
   * The square of √(q(1−q))/pairs with q = (passes + ½)/(2·known + 1). Both sides of the fraction are integers, so that
   * equal values are equal numbers.
   */
  #update(test: number): void {
    const [known, passes] = [this.#known[test] ?? 0, this.#passes[test] ?? 0]
    const scale = (4 * known + 2) * (this.#chosen[test] ?? 0)
    this.#worth[test] = ((2 * passes + 1) * (4 * known + 1 - 2 * passes)) / (scale * scale)
  }
}
