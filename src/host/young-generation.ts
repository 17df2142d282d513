/** The factor by which V8 lets its young generation grow. It is read at each collection; sizes are fixed at the start. */
const FACTOR = '--semi-space-growth-factor'
const USUAL = 2
const NO_GROWTH = 1

/** Whether V8 lets it grow beyond the 32 MB that it has in earlier versions, which need no limit. */
const GROWS_LARGE = Number.parseInt(process.versions.node, 10) >= 24

/**
 * The part of the heap for new objects. Node 24 lets it grow to more than 100 MB in a run of many tests, without being
 * faster for it.
 */
export class YoungGeneration {
  #isLimited = false

  /** Keeps it from growing any more, where it would grow large. */
  limit(): void {
    if (!GROWS_LARGE) return
    this.#isLimited = true
    setFactor(NO_GROWTH)
  }

  /** Works with V8's usual flags: it rejects code that was compiled with others. */
  withUsualFlags<Result>(work: () => Result): Result {
    if (!this.#isLimited) return work()
    setFactor(USUAL)
    try {
      return work()
    } finally {
      setFactor(NO_GROWTH)
    }
  }
}

function setFactor(factor: number): void {
  // Loaded when it is used: most commands have few objects.
  process.getBuiltinModule('node:v8').setFlagsFromString(`${FACTOR}=${factor}`)
}
