import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { run } from '../program.ts'

const isInstalled = spawnSync('tmux', ['-V']).status === 0
if (!isInstalled) console.warn('Terminals cannot be tested in tmux: not found. To get it: apt install tmux')

/** Tests of what a terminal shows. In CI they run and fail without tmux. */
export const itInTmux = it.skipIf(!isInstalled && !process.env['CI'])

/** A shell in a terminal that shows what a user would see. */
export class TmuxShell {
  readonly #socket: string
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
    this.#socket = join(folder, 'tmux.sock')
  }

  /** Starts a shell in a folder. It ends with the test. */
  static async start(folder: string): Promise<TmuxShell> {
    const shell = new TmuxShell(folder)
    onTestFinished(async () => void (await shell.#tmux('kill-server')))
    await shell.#tmux('-f', '/dev/null', 'new-session', '-d', '-x', '150', '-y', '50', 'sh')
    await shell.type("unset CI; PS1='rea''dy> '", 'Enter')
    await shell.until('ready>')
    return shell
  }

  /** Types text, then a key such as `Enter` or `C-c`. */
  async type(text: string, ...keys: readonly string[]): Promise<void> {
    if (text !== '') await this.#tmux('send-keys', '-l', text)
    if (keys.length > 0) await this.#tmux('send-keys', ...keys)
  }

  /** Changes the size of the terminal. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** Pastes a text, as a terminal does that marks pasted text. */
  async paste(text: string): Promise<void> {
    await this.#tmux('set-buffer', text)
    await this.#tmux('paste-buffer', '-p')
  }

  /** The lines that the terminal shows now. */
  async screen(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p')).stdout
  }

  /** The same, with the lines that have scrolled off, and without the blank ones at the end. */
  async history(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', '-S', '-')).stdout.trimEnd()
  }

  /** Waits until the terminal shows a text, on a screen that is new. Returns what it shows then. */
  async until(text: string | RegExp | ((screen: string) => boolean), isNew = (_: string) => true): Promise<string> {
    const isShown = (screen: string) =>
      typeof text === 'function' ? text(screen) : typeof text === 'string' ? screen.includes(text) : text.test(screen)
    const deadline = Date.now() + 60_000
    for (;;) {
      const screen = await this.screen()
      if (isShown(screen) && isNew(screen)) return screen
      if (Date.now() > deadline) throw new Error(`no ${text} on the screen:\n${screen}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  #tmux(...args: readonly string[]) {
    return run('tmux', ['-S', this.#socket, ...args], { cwd: this.#folder })
  }
}
