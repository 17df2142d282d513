const BREAK = 10

/** Output that is passed on line by line as it arrives. */
export class OutputLines {
  readonly #limit: number
  readonly #onLine: (line: string) => void
  #begun: Buffer[] = []
  #length = 0
  total = 0

  /** `limit` is the maximum length of a line in bytes. */
  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit
    this.#onLine = onLine
  }

  /** Returns false when a line is too long. */
  add(chunk: Buffer): boolean {
    this.total += chunk.length
    if (this.tooLarge) return false
    let start = 0
    for (let end = chunk.indexOf(BREAK); end >= 0; end = chunk.indexOf(BREAK, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false
      this.#handOn()
      start = end + 1
    }
    return this.#keep(chunk.subarray(start))
  }

  get tooLarge(): boolean {
    return this.#length > this.#limit
  }

  /** Passes on a last line without a line break. */
  end(): void {
    if (this.#length > 0 && !this.tooLarge) this.#handOn()
  }

  /** Empty: the lines have been passed on. */
  text(): string {
    return ''
  }

  #keep(part: Buffer): boolean {
    this.#length += part.length
    if (part.length > 0 && !this.tooLarge) this.#begun.push(part)
    return !this.tooLarge
  }

  #handOn(): void {
    const line = Buffer.concat(this.#begun).toString('utf8')
    this.#begun = []
    this.#length = 0
    this.#onLine(line)
  }
}

/** Output up to a limit. */
export class LimitedOutput {
  readonly #chunks: Buffer[] = []
  readonly #limit: number
  total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns false when the output exceeds the limit. */
  add(chunk: Buffer): boolean {
    this.total += chunk.length
    if (!this.tooLarge) this.#chunks.push(chunk)
    return !this.tooLarge
  }

  get tooLarge(): boolean {
    return this.total > this.#limit
  }

  /** Nothing to do: output is kept as a whole. */
  end(): void {}

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** The end of an output. */
export class OutputTail {
  #chunks: Buffer[] = []
  #length = 0
  readonly #kept: number
  total = 0

  constructor(kept: number) {
    this.#kept = kept
  }

  add(chunk: Buffer): void {
    this.total += chunk.length
    this.#length += chunk.length
    this.#chunks.push(chunk)
    if (this.#length > 2 * this.#kept) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(-this.#kept)]
      this.#length = this.#kept
    }
  }

  /** Marks a cut with `…`, so that redaction finds a secret that was cut. */
  text(): string {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#kept)
    if (kept.length === this.total) return kept.toString('utf8')
    const start = kept.findIndex(byte => (byte & 0xc0) !== 0x80)
    return `…${kept.subarray(start).toString('utf8')}`
  }
}
