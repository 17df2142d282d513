import { parseJson } from '../lib/json/parse-json.ts'
import type { MockServers } from '../model/mock.ts'
import type { MockCall } from '../model/mock-call.ts'
import type { JournalEntry } from './answer-call.ts'
import { applyChange } from './state.ts'

/** Names of the files in the folder of an attempt. */
export const DEFINITION_FILE = 'mocks.json'
export const JOURNAL_FILE = 'journal.jsonl'

/** The calls of an attempt, and the state of each server. */
export class MockHistory {
  readonly calls: MockCall[] = []
  readonly state: Record<string, Record<string, unknown>>

  constructor(servers: MockServers) {
    const states = Object.entries(servers).map(([name, { state }]) => [name, structuredClone(state)])
    this.state = Object.fromEntries(states)
  }

  /** Adds a line of the journal. A line that is not whole was not answered. */
  add(line: string): void {
    const entry = parseJson(line) as JournalEntry | undefined
    if (!entry) return
    const { changes = [], ...call } = entry
    this.calls.push(call)
    for (const change of changes) applyChange(this.state[call.server] ?? {}, change)
  }
}
