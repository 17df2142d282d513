import type { GivenLabel, LabelPage } from '../../model/shown-answer.ts'

/** After the last answer without a label. */
export interface SampleEnd {
  readonly number?: undefined
  readonly of: number
  readonly labelled: number
}

/** The first answer without a label after a position. */
export function nextAnswer(after: number): Promise<LabelPage | SampleEnd> {
  return request(`next/${after}`)
}

export function answerAt(number: number): Promise<LabelPage> {
  return request(`answers/${number}`)
}

/** Writes a label; rejects if it was not written. */
export async function sendLabel(number: number, label: GivenLabel, note: string): Promise<void> {
  const body = JSON.stringify(note.trim() === '' ? { label } : { label, note })
  await request(`answers/${number}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

/** Paths are relative: the address of the page has the token. */
async function request<Value>(path: string, init: RequestInit = {}): Promise<Value> {
  const response = await window.fetch(path, init).catch(() => {
    throw new Error(
      'The server does not answer. Start `assay label --browser` again, and open the address that it prints.',
    )
  })
  const value = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(value.error ?? `The server refused the request (${response.status}).`)
  return value
}
