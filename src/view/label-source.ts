import type { GivenLabel, LabelPage } from '../model/shown-answer.ts'

/** After the last answer without a label. */
export interface SampleEnd {
  readonly number?: undefined
  readonly of: number
  readonly labelled: number
}

/** Where the answers to label come from, and where labels go. */
export interface LabelSource {
  /** The first answer without a label after a position. */
  next(after: number): Promise<LabelPage | SampleEnd>
  answer(number: number): Promise<LabelPage>
  /** Writes a label; rejects if it was not written. */
  send(number: number, label: GivenLabel, note: string): Promise<void>
}

/** Asks the server. Paths are relative: the address of the page has the token. */
export function labelSource(): LabelSource {
  return {
    next: after => request(`label/next/${after}`),
    answer: number => request(`label/answers/${number}`),
    send: async (number, label, note) => {
      const body = JSON.stringify(note.trim() === '' ? { label } : { label, note })
      await request(`label/answers/${number}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    },
  }
}

async function request<Value>(path: string, init: RequestInit = {}): Promise<Value> {
  const response = await window.fetch(path, init).catch(() => {
    throw new Error('The server does not answer. Start the command again, and open the address that it prints.')
  })
  const value = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(value.error ?? `The server refused the request (${response.status}).`)
  return value
}
