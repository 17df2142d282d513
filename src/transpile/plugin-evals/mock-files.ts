import { deepEqual } from '../../lib/objects.ts'
import type { MockServer, MockServers, MockTool } from '../../model/mock.ts'
import type { Test } from '../../model/test.ts'
import type { TranspiledFile } from '../transpiled-file.ts'
import { type Mark, markdownFile, unmarkedFile } from './marked-text.ts'

export const TOOL_LIST = '_tools.json'

/** Mocked servers that all of several tests have. */
export function sharedServers(tests: readonly Test[]): MockServers {
  const [first, ...others] = tests.map(({ mocks }) => mocks?.servers ?? {})
  if (others.length === 0) return {}
  const same = Object.entries(first ?? {}).filter(([name, server]) =>
    others.every(servers => deepEqual(servers[name], server)),
  )
  return Object.fromEntries(same)
}

/** Mocked servers of a test that are not those of all tests. */
export function ownServers({ mocks }: Test, shared: MockServers): MockServers {
  return Object.fromEntries(Object.entries(mocks?.servers ?? {}).filter(([name]) => !Object.hasOwn(shared, name)))
}

/** Mocked servers as folders with a file for each tool, and what these leave out. */
export function mockFiles(servers: MockServers, folder: string, mark: Mark) {
  const made = Object.entries(servers).map(([name, server]) => serverFiles(server, `${folder}/${name}`, name, mark))
  return { files: made.flatMap(({ files }) => files), lost: made.flatMap(({ lost }) => lost) }
}

function serverFiles({ state, tools, files = {} }: MockServer, folder: string, name: string, mark: Mark) {
  const lost = new Set(Object.keys(state).length === 0 ? [] : [`the state of the mocked server \`${name}\``])
  const written: TranspiledFile[] = []
  for (const [tool, mocked] of Object.entries(tools)) {
    for (const loss of toolLosses(mocked)) lost.add(`${loss} of the mocked server \`${name}\``)
    const body = bodyOf(mocked)
    if (body === undefined) lost.add(`the tool \`${tool}\` of the mocked server \`${name}\``)
    else written.push(toolFile(`${folder}/${tool}.md`, mocked, body, mark))
  }
  const [first] = written
  if (!first) return { files: [], lost: [...lost] }
  const list = { tools: Object.entries(tools).map(([tool, mocked]) => listed(tool, mocked)) }
  const others = [
    unmarkedFile(`${folder}/${TOOL_LIST}`, `${JSON.stringify(list, null, 2)}\n`, first.file),
    ...Object.entries(files).map(([path, text]) => unmarkedFile(`${folder}/${path}`, text, first.file)),
  ]
  return { files: [...written, ...others], lost: [...lost] }
}

function toolFile(path: string, { expect, error }: MockTool, body: string, mark: Mark): TranspiledFile {
  const keys = { type: 'fixed', ...(expect ? { expect } : {}), ...(error === undefined ? {} : { error: true }) }
  return markdownFile(path, mark, keys, body)
}

function listed(name: string, { description, input_schema }: MockTool): object {
  return { name, ...(description === undefined ? {} : { description }), inputSchema: input_schema }
}

function toolLosses({ set, recordings, returns }: MockTool): string[] {
  return [
    ...(set ? ['changes of the state (`set`)'] : []),
    ...(recordings && recordings.length > 0 ? ['recorded calls'] : []),
    ...(typeof returns === 'object' && JSON.stringify(returns).includes('{{') ? ['types of values in results'] : []),
  ]
}

/** What a tool answers, as a text; undefined if that cannot be written. */
function bodyOf({ returns, error, only_recordings }: MockTool): string | undefined {
  const value = error ?? returns
  if (only_recordings || value === undefined) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.trim() === text && text.replaceAll(TEMPLATE, '').includes('{{') === false ? text : undefined
}

/** Templates that mean the same there. */
const TEMPLATE = /\{\{\s*input(?:\.[\w-]+)+\s*\}\}|\{\{\s*file:[^{}]*(?:\{input(?:\.[\w-]+)+\}[^{}]*)*\}\}/g
