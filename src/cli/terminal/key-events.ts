import type { Host } from '../../model/host.ts'

/** A key, or a new size of the terminal. `text` is the character as typed. */
export interface KeyEvent {
  readonly key: string
  readonly text: string
  /** Whether it was pasted: it is text, and no command. */
  readonly is_pasted: boolean
}

/** Keys of the terminal, one after another; `resize` when its size has changed. */
export class KeyEvents {
  readonly #stops: readonly (() => void)[]
  readonly #events: KeyEvent[] = []
  #isPasting = false
  #wake = () => {}

  constructor({ terminal }: Pick<Host, 'terminal'>) {
    this.#stops = [
      terminal.keys((key, text) => this.#typed(key, text)),
      terminal.onResize(() => this.#add({ key: 'resize', text: '', is_pasted: false })),
    ]
  }

  /** Whether no other event waits. */
  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  /** The next event; undefined if the signal aborts first. */
  async next(signal: AbortSignal): Promise<KeyEvent | undefined> {
    for (;;) {
      if (signal.aborted) return undefined
      const event = this.#events.shift()
      if (event) return event
      await new Promise<void>(resolve => {
        this.#wake = () => {
          signal.removeEventListener('abort', this.#wake)
          resolve()
        }
        signal.addEventListener('abort', this.#wake)
      })
    }
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  #typed(key: string, text: string): void {
    if (key === 'paste-start' || key === 'paste-end') this.#isPasting = key === 'paste-start'
    else this.#add({ key, text, is_pasted: this.#isPasting })
  }

  #add(event: KeyEvent): void {
    this.#events.push(event)
    this.#wake()
  }
}
