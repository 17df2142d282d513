import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { StopSignal } from '../../src/model/host.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { linesOf, markerEnv, resultsIn, runFolder, suiteFolder } from './suite-run.ts'

/** How long something may take on a machine that is busy. */
const PATIENCE_MS = 60_000

/** A test whose answer is its input. */
export function echoTest(id: string, input = id): object {
  return { id, criteria: 'Says it', input, assert: [{ type: 'contains', value: id }] }
}

/** Prints the prompt; notes each call in a file on which nothing depends. */
const ECHO = 'echo {TEST_ID} >> tmp/calls.txt; sh agent.sh {PROMPT_FILE}'

/** A folder with tests that an agent in `agent.sh` answers, one after another. */
export function echoFolder(tests: readonly object[], target: object = {}, files: Record<string, string> = {}): string {
  const targets = [{ name: 'default', provider: 'cli', command: ECHO, workers: 1, ...target }]
  return suiteFolder({ tests }, targets, { 'agent.sh': 'cat "$1"\n', ...files })
}

export function writeTests(folder: string, tests: readonly object[]): void {
  writeFileSync(join(folder, 'EVAL.yaml'), JSON.stringify({ name: 'agents', tests }))
}

/** `assay eval --watch` in this process, with keys and signals of its own. */
export class Watch {
  readonly #folder: string
  readonly #signalled = new Set<(signal: StopSignal) => void>()
  #onKey = (_key: string, _text: string) => {}
  #output = ''
  #seen = 0
  readonly ended: Promise<number>

  constructor(folder: string, args: readonly string[] = [], { hasKeys = true } = {}) {
    this.#folder = folder
    this.ended = main(['eval', '--watch', ...args], this.#host(hasKeys))
    onTestFinished(async () => {
      this.signal('SIGINT')
      await this.ended
    })
  }

  get output(): string {
    return this.#output
  }

  press(key: string): void {
    this.#onKey(key, '')
  }

  signal(signal: StopSignal): void {
    for (const call of [...this.#signalled]) call(signal)
  }

  /** Waits until a text is printed, after the one that was waited for before. Returns what is printed up to its end. */
  async until(text: string): Promise<string> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const found = this.#output.indexOf(text, this.#seen)
      if (found >= 0) {
        const printed = this.#output.slice(this.#seen, found + text.length)
        this.#seen = found + text.length
        return printed
      }
      if (Date.now() > deadline) throw new Error(`no ${JSON.stringify(text)} in:\n${this.#output.slice(this.#seen)}`)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }

  /** Waits for the end of a cycle. */
  idle(): Promise<string> {
    return this.until('Watching ')
  }

  /** The number of runs so far. */
  get runs(): number {
    return readdirSync(join(this.#folder, '.assay/runs')).filter(name => name !== 'latest').length
  }

  /** The ids of the tests of the last run, in the order of the plan. */
  get made(): string[] {
    return resultsIn(this.#folder).map(({ test_id }) => test_id)
  }

  /** The ids of the tests that the last run carried over. */
  get carried(): string[] {
    const info: RunInfo = JSON.parse(readFileSync(join(runFolder(this.#folder), 'run.json'), 'utf8'))
    return (info.carried?.tests ?? []).map(({ test_id }) => test_id)
  }

  /** The tests that the agent was asked, in order. */
  get calls(): string[] {
    return linesOf(join(this.#folder, 'tmp/calls.txt'))
  }

  #host(hasKeys: boolean) {
    const { FORCE_COLOR, NO_COLOR, ...env } = process.env
    const real = nodeHost(this.#folder, { ...env, CI: 'true', ...markerEnv(this.#folder) })
    const write = (text: string) => {
      this.#output += text
    }
    const stream = { write, isTTY: false, columns: undefined, rows: undefined }
    const keys = (onKey: (key: string, text: string) => void) => {
      this.#onKey = onKey
      return () => {
        this.#onKey = () => {}
      }
    }
    return {
      ...real,
      terminal: { stdout: stream, stderr: stream, hasKeys, keys, onResize: () => () => {} },
      signals: {
        listen: (call: (signal: StopSignal) => void) => {
          this.#signalled.add(call)
          return () => void this.#signalled.delete(call)
        },
        exit: (code: number): never => {
          throw new Error(`the program would exit with ${code}`)
        },
      },
    }
  }
}
