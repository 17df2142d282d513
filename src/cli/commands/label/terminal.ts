import { printableLine } from '../../../lib/text/escape.ts'
import { wrapText } from '../../../lib/text/wrap.ts'
import { type GivenLabel, LONGEST_NOTE } from '../../../model/shown-answer.ts'
import type { LabelSession } from '../../../operations/label/label-session.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { type SignalWatch, watchSignals } from '../../signals.ts'
import { type KeyEvent, KeyEvents } from '../../terminal/key-events.ts'
import {
  answerLines,
  bodyRows,
  drawScreen,
  ENTER_SCREEN,
  HELP,
  headLine,
  keyLines,
  LEAVE_SCREEN,
  noteLines,
  type ScreenContent,
} from '../../terminal/label-screen.ts'
import { cutLine, type ScreenSize } from '../../terminal/screen.ts'

/** Shows the answers of a sample on the terminal, one after another, until the person quits or a signal comes. */
export async function labelOnTerminal(session: LabelSession, context: CommandContext): Promise<ExitCode> {
  const { out } = context.terminal
  const leave = once(() => out(LEAVE_SCREEN))
  const signals = watchSignals(context.host, leave)
  const events = new KeyEvents(context.host)
  out(ENTER_SCREEN)
  try {
    return await new LabelTerminal(session, context, events).run(signals)
  } finally {
    leave()
    events.close()
    signals.stop()
  }
}

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) call()
    isDone = true
  }
}

/** A key that labels is a repetition, and no decision, if it comes this soon after another answer is shown. */
const REPEAT_MS = 200

const LABEL_KEYS: Readonly<Record<string, GivenLabel>> = { p: 'pass', f: 'fail', u: 'unsure' }

type Mode = 'answer' | 'note' | 'help' | 'end'

class LabelTerminal {
  readonly #session: LabelSession
  readonly #context: CommandContext
  readonly #events: KeyEvents
  #mode: Mode = 'answer'
  #number: number
  /** When the answer was shown. */
  #since = 0
  /** The first line that is shown. */
  #top = 0
  #helpTop = 0
  /** The note of the answer that is not yet written. */
  #note: string | undefined
  /** The note that is being typed. */
  #typed = ''
  /** The lines of the answer for a width: a long one takes a while. */
  #lines: { readonly key: string; readonly lines: readonly string[] } | undefined

  constructor(session: LabelSession, context: CommandContext, events: KeyEvents) {
    this.#session = session
    this.#context = context
    this.#events = events
    this.#number = session.nextAfter(0) ?? session.size
  }

  async run(signals: SignalWatch): Promise<ExitCode> {
    this.#since = this.#context.host.clock.elapsed()
    for (;;) {
      if (this.#events.isEmpty && !signals.signal.aborted) this.#draw()
      const event = await this.#events.next(signals.signal)
      if (!event) return signals.code ?? EXIT.ok
      if (this.#mode === 'note') await this.#typeNote(event)
      else if (event.key === 'q' && !event.is_pasted) return EXIT.ok
      else if (!event.is_pasted) await this.#act(event.key)
    }
  }

  async #act(key: string): Promise<void> {
    if (this.#mode === 'help') this.#useHelp(key)
    else if (this.#mode === 'answer') await this.#useAnswer(key)
    else if (key === 'b') this.#open(this.#session.size)
  }

  #useHelp(key: string): void {
    const step = this.#step(key)
    if (step !== undefined) this.#helpTop += step
    else if (key !== 'resize') this.#mode = 'answer'
  }

  async #useAnswer(key: string): Promise<void> {
    const label = LABEL_KEYS[key]
    if (label) await this.#label(label)
    else if (key === 's') this.#advance()
    else if (key === 'b') this.#open(Math.max(1, this.#number - 1))
    else if (key === 'n') this.#startNote()
    else if (key === '?') this.#openHelp()
    else this.#top += this.#step(key) ?? 0
  }

  #openHelp(): void {
    this.#mode = 'help'
    this.#helpTop = 0
  }

  async #label(label: GivenLabel): Promise<void> {
    if (this.#context.host.clock.elapsed() - this.#since < REPEAT_MS) return
    await this.#session.label(this.#number, label, this.#note ?? this.#earlier?.note)
    this.#advance()
  }

  /** Goes on with the next answer that has no label. */
  #advance(): void {
    const next = this.#session.nextAfter(this.#number)
    if (next === undefined) this.#mode = 'end'
    else this.#open(next)
  }

  #open(number: number): void {
    if (number !== this.#number || this.#mode === 'end') {
      this.#since = this.#context.host.clock.elapsed()
      this.#note = undefined
      this.#top = 0
    }
    this.#number = number
    this.#mode = 'answer'
  }

  get #earlier() {
    return this.#session.earlier(this.#number)
  }

  #startNote(): void {
    this.#mode = 'note'
    this.#typed = this.#note ?? this.#earlier?.note ?? ''
  }

  async #typeNote({ key, text, is_pasted }: KeyEvent): Promise<void> {
    const isReturn = key === 'return' || key === 'enter'
    if (is_pasted && isReturn) this.#typed += ' '
    else if (isReturn) await this.#keepNote()
    else if (key === 'escape') this.#mode = 'answer'
    else if (key === 'backspace') this.#typed = [...this.#typed].slice(0, -1).join('')
    else if (key === 'ctrl+u') this.#typed = ''
    else if (text !== '' && this.#typed.length + text.length <= LONGEST_NOTE) this.#typed += text
  }

  /** A note on a label is written at once, a note without one together with its label. */
  async #keepNote(): Promise<void> {
    this.#mode = 'answer'
    const { label } = this.#earlier ?? {}
    if (label !== undefined) await this.#session.label(this.#number, label, this.#typed)
    this.#note = this.#typed
  }

  /** The number of lines by which a key scrolls; undefined for other keys. */
  #step(key: string): number | undefined {
    const page = bodyRows(this.#content, this.#size)
    const steps: Readonly<Record<string, number>> = {
      ...{ up: -1, down: 1, return: 1, enter: 1, space: page, pagedown: page, pageup: -page },
      ...{ home: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY },
    }
    return steps[key]
  }

  get #size(): ScreenSize {
    const { columns, rows } = this.#context.host.terminal.stdout
    // A terminal that does not know its size has 0 columns.
    return { columns: columns || 80, rows: rows || 24 }
  }

  #draw(): void {
    const content = this.#content
    const last = Math.max(0, content.body.length - bodyRows(content, this.#size))
    const top = Math.min(Math.max(0, content.top), last)
    if (this.#mode === 'help') this.#helpTop = top
    else this.#top = top
    this.#context.terminal.out(drawScreen({ ...content, top }, this.#size))
  }

  get #content(): ScreenContent {
    const size = this.#size
    const palette = this.#context.terminal.palette('stdout')
    if (this.#mode === 'end') return this.#end()
    const page = this.#session.page(this.#number)
    if (!page) throw new Error(`no answer ${this.#number}`)
    const head = headLine(page, size, palette)
    if (this.#mode === 'help') {
      const body = HELP.flatMap(line => wrapText(line, size.columns - 1))
      return { head, body, top: this.#helpTop, foot: keyLines(size, palette, ['? back to the answer', 'q quit']) }
    }
    const key = `${this.#number} ${size.columns}`
    if (this.#lines?.key !== key) this.#lines = { key, lines: answerLines(page.shown, size, palette) }
    return { head, body: this.#lines.lines, top: this.#top, foot: this.#foot(size) }
  }

  #foot(size: ScreenSize): readonly string[] {
    const palette = this.#context.terminal.palette('stdout')
    if (this.#mode === 'note') return noteLines(this.#typed, size, palette)
    const note = this.#earlier ? '' : (this.#note ?? '')
    return [...(note === '' ? [] : [cutLine(printableLine(`note: ${note}`), size.columns)]), ...keyLines(size, palette)]
  }

  /** What is shown after the last answer, from which one can still go back. */
  #end(): ScreenContent {
    const { size: of, labelled } = this.#session
    const palette = this.#context.terminal.palette('stdout')
    const rest = of > labelled ? ` The other ${of - labelled} come again next time.` : ''
    const body = wrapText(`That was the last answer: ${labelled} of ${of} are labelled.${rest}`, this.#size.columns - 1)
    const foot = keyLines(this.#size, palette, ['b back', 'q quit'])
    return { head: palette.strong('End of the sample'), body, top: 0, foot }
  }
}
