import { isNestedWithin } from '../../lib/objects.ts'
import { isSystemError } from '../../lib/system-error.ts'
import { truncate } from '../../lib/text/quote.ts'
import { DEEPEST_ANSWER } from '../../model/answer-limits.ts'
import type { HostClock } from '../../model/host.ts'
import { toolNameSchema } from '../../model/mock.ts'
import { UserError } from '../../model/user-error.ts'
import type { AnsweredCall, Answers } from './call-watch.ts'
import type { MockFolder } from './mock-folder.ts'
import type { MockRedaction } from './mock-redaction.ts'
import { type RecordedAnswer, recordedAnswer } from './recorded-answer.ts'

/** What was recorded. */
export interface RecordedCalls {
  /** Calls that are recorded, including those that were answered as before. */
  readonly calls: number
  /** Recordings that were written. */
  readonly written: number
  /** Calls that are not recorded for a reason other than an error of the file system. */
  readonly skipped: number
  /** Files that could not be written. */
  readonly failed: number
  /** The names of secrets that were redacted. */
  readonly redacted: readonly string[]
}

interface RecorderOptions {
  readonly folder: MockFolder
  readonly redaction: MockRedaction
  readonly clock: HostClock
  onNote(text: string): void
}

/** Records calls of tools and lists of tools. Never throws for what a server sends or a disk does. */
export class CallRecorder {
  readonly #options: RecorderOptions
  readonly #redacted = new Set<string>()
  /** Notes that were shown: each is shown once. */
  readonly #notes = new Set<string>()
  #calls = 0
  #written = 0
  #skipped = 0
  #failed = 0

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  async record({ calls, tools }: Answers): Promise<void> {
    if (tools.length > 0) await this.#keeping('the list of tools', () => this.#recordTools(tools))
    for (const call of calls) await this.#keeping(`a call of ${nameOf(call.tool)}`, () => this.#recordCall(call))
  }

  /** Counts calls that are not recorded, since the server did not answer them. */
  skip({ calls }: Answers): void {
    this.#skipped += calls.length
  }

  summary(): RecordedCalls {
    const [calls, written, skipped, failed] = [this.#calls, this.#written, this.#skipped, this.#failed]
    return { calls, written, skipped, failed, redacted: [...this.#redacted].sort() }
  }

  async #recordTools(tools: Answers['tools']): Promise<void> {
    if (!isNestedWithin(tools, DEEPEST_ANSWER)) return this.#note('the list of tools is nested too deep: not recorded')
    const named = tools.filter(({ name }) => isToolName(name))
    for (const { name } of tools.filter(tool => !named.includes(tool)))
      this.#note(`the tool ${nameOf(name)} is not in the list of tools: mocks cannot have a tool with this name`)
    await this.#options.folder.writeTools(this.#redact(named) as Answers['tools'])
  }

  async #recordCall({ tool, input, response }: AnsweredCall): Promise<void> {
    if (!isToolName(tool))
      return this.#skipCall(`a call of ${nameOf(tool)} is not recorded: mocks cannot have a tool with this name`)
    const answer = recordedAnswer(response)
    if (!answer) return this.#skipCall(`a call of ${tool} is not recorded: the answer is not a result of a tool`)
    if (!isNestedWithin([input, answer], DEEPEST_ANSWER))
      return this.#skipCall(`a call of ${tool} is not recorded: it is nested more than ${DEEPEST_ANSWER} levels deep`)
    const { folder, clock } = this.#options
    const { output, verdict, result, error } = this.#redactAnswer(answer)
    const recording = {
      input: this.#redactInput(tool, input),
      output,
      verdict,
      recordedAt: clock.timestamp(),
      model: null,
    }
    const written = await folder.writeCall(tool, { ...recording, result, error })
    this.#calls++
    if (written !== 'same') this.#written++
    if (written === 'changed')
      this.#note(`${tool} was called again with the same input and answered differently: the last answer is kept`)
  }

  #redactInput(tool: string, input: unknown): unknown {
    const { value, names } = this.#options.redaction.redact(input)
    if (names.length > 0)
      this.#note(
        `the input of a call of ${tool} contains secrets (${names.join(', ')}), which are redacted: as a mock, this recording answers only the redacted input`,
      )
    for (const name of names) this.#redacted.add(name)
    return value
  }

  /** Each part by itself: a word of ours, such as `verdict`, may be a secret. */
  #redactAnswer(answer: RecordedAnswer): RecordedAnswer {
    const parts = Object.entries(answer).map(([key, part]) => [key, key === 'verdict' ? part : this.#redact(part)])
    return Object.fromEntries(parts)
  }

  #redact(value: unknown): unknown {
    const redacted = this.#options.redaction.redact(value)
    for (const name of redacted.names) this.#redacted.add(name)
    return redacted.value
  }

  #skipCall(text: string): void {
    this.#skipped++
    this.#note(text)
  }

  #note(text: string): void {
    if (this.#notes.has(text)) return
    this.#notes.add(text)
    this.#options.onNote(text)
  }

  /** The agent gets its answer even if it cannot be recorded. */
  async #keeping(what: string, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      if (!isSystemError(error) && !(error instanceof UserError)) throw error
      this.#failed++
      this.#options.onNote(`${what} could not be recorded: ${error.message}`)
    }
  }
}

/** Whether mocks can have a tool with this name. Such a name is safe in a path, and short enough for a file. */
function isToolName(name: unknown): name is string {
  return toolNameSchema().safeParse(name).success
}

function nameOf(tool: unknown): string {
  return typeof tool === 'string' ? truncate(JSON.stringify(tool), 100) : 'a tool without a name'
}
