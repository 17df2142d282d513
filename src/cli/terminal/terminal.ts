import pc from 'picocolors'
import { type Palette, PLAIN } from '../../lib/palette.ts'
import { terminalSafeJson } from '../../lib/text/escape.ts'
import type { Host } from '../../model/host.ts'
import { displayPath, displayPathsFrom } from '../../operations/display-path.ts'

const { green, red, yellow, bold, dim } = pc.createColors(true)
const COLOURS: Palette = { good: green, error: red, warning: yellow, strong: bold, faint: dim }

type TerminalHost = Pick<Host, 'cwd' | 'env' | 'platform' | 'terminal'>

/** What a command prints to: the streams of its host, with secrets redacted. */
export class Terminal {
  readonly #host: TerminalHost
  #redact = (text: string) => text

  constructor(host: TerminalHost) {
    this.#host = host
  }

  /** Redacts everything that is printed from now on. */
  redactWith(redact: (text: string) => string): void {
    this.#redact = redact
  }

  readonly out = (text: string): void => this.#host.terminal.stdout.write(this.#redact(text))

  readonly err = (text: string): void => this.#host.terminal.stderr.write(this.#redact(text))

  /** Prints a value as one JSON document. */
  json(value: unknown): void {
    this.out(terminalSafeJson(`${JSON.stringify(value, null, 2)}\n`))
  }

  /** The colours of a stream, where its reader is a terminal that shows them. */
  palette(stream: 'stdout' | 'stderr'): Palette {
    const { terminal, env } = this.#host
    const isForced = !['0', 'false', undefined].includes(env['FORCE_COLOR'])
    return this.#supportsColour() && (terminal[stream].isTTY || isForced) ? COLOURS : PLAIN
  }

  #supportsColour(): boolean {
    const { env, platform, terminal } = this.#host
    if (env['NO_COLOR']) return false
    const isColourful = terminal.stdout.isTTY && env['TERM'] !== 'dumb'
    return Boolean(env['FORCE_COLOR']) || platform === 'win32' || isColourful || Boolean(env['CI'])
  }

  /** Whether lines on stderr can be drawn over: on a terminal that a person looks at. */
  get isLive(): boolean {
    const { env, terminal } = this.#host
    return terminal.stderr.isTTY && !env['CI'] && env['TERM'] !== 'dumb'
  }

  /** The width of stderr; undefined if it is not known. A terminal that knows none has the width 0. */
  readonly columns = (): number | undefined => this.#host.terminal.stderr.columns || undefined

  /** The height of stderr; undefined if it is not known. */
  readonly rows = (): number | undefined => this.#host.terminal.stderr.rows || undefined

  /** A path for people: relative to the current folder. */
  readonly path = (file: string): string => displayPath(file, this.#host)

  /** Paths of records for people. */
  pathsFrom(root: string | undefined): (file: string) => string {
    return displayPathsFrom(root, this.#host)
  }
}
