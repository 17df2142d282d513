import type { DataSource } from './data-source.ts'
import { labelSource } from './label-source.ts'

/** Reads the data of `assay view`. Paths are relative: the address of the page has the token. */
export function serverSource(): DataSource {
  return {
    only_run: undefined,
    project: () => request('api/project'),
    runs: () => request('api/runs'),
    run: id => request(runPath(id)),
    results: (id, index) => request(`${runPath(id)}/tests/${index}`),
    history: (id, index) => request(`${runPath(id)}/tests/${index}/history`),
    image: (id, index, hash) => ({ src: `${runPath(id)}/tests/${index}/images/${encodeURIComponent(hash)}` }),
    live: id => request(`${runPath(id)}/live`),
    stop: async id => {
      await request(`${runPath(id)}/stop`, { method: 'POST' })
    },
    label: labelSource(),
    compare: (base, other) => request(`api/compare/${encodeURIComponent(base)}/${encodeURIComponent(other)}`),
  }
}

function runPath(id: string): string {
  return `api/runs/${encodeURIComponent(id)}`
}

async function request<Value>(path: string, init: RequestInit = {}): Promise<Value> {
  const response = await window.fetch(path, init).catch(() => {
    throw new Error('The server does not answer. Start `assay view` again, and open the address that it prints.')
  })
  const value = await response.json().catch(() => undefined)
  if (!response.ok) throw new Error(errorIn(value) ?? `The server refused the request (${response.status}).`)
  return value as Value
}

function errorIn(value: unknown): string | undefined {
  const { error } = (value ?? {}) as { readonly error?: unknown }
  return typeof error === 'string' ? error : undefined
}
