import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { nodeHost } from '../../../src/host/node.ts'
import { LogFolder } from '../../../src/log/log-folder.ts'
import type { LoggedRun, LoggedTurn } from '../../../src/log/logged-run.ts'
import type { Host } from '../../../src/model/host.ts'
import { folderWith } from '../program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a file may contain any value.
export type LogContent = any

/** A folder of logs on the disk, with the warnings about it. */
export interface Logs {
  readonly path: string
  readonly folder: LogFolder
  readonly warnings: string[]
  add(run: LoggedRun): ReturnType<LogFolder['add']>
  /** The text of a file in it. */
  text(file: string): string
  /** A log as parsed YAML. */
  yaml(name: string): LogContent
  /** All file names in it or in a subfolder. */
  names(folder?: string): string[]
}

export function logsWith(files: Record<string, string | Uint8Array> = {}, host: Host = nodeHost()): Logs {
  const path = folderWith(files)
  const warnings: string[] = []
  const folder = new LogFolder(path, host, message => warnings.push(message))
  const text = (file: string) => readFileSync(join(path, file), 'utf8')
  return {
    path,
    folder,
    warnings,
    text,
    add: run => folder.add(run),
    yaml: name => load(text(`${name}.yaml`)),
    names: (below = '') => (existsSync(join(path, below)) ? readdirSync(join(path, below)).sort() : []),
  }
}

/** A run of a conversation in which each input gets the same output. */
export function runOf(
  inputs: string | readonly string[],
  output = 'Hello!',
  more: Partial<LoggedTurn> = {},
): LoggedRun {
  const figures = { tokens: 5, cost: 0, duration_ms: 7 }
  const turns = [inputs].flat().map(input => ({
    ...figures,
    input,
    output,
    tools_called: ["greet(name='Alice')"],
    expected: '',
    evaluation: '',
    ...more,
  }))
  const messages = turns.flatMap(({ input, output }) => [
    { role: 'user', content: input },
    { role: 'assistant', content: output },
  ])
  return {
    system_prompt: '',
    model: 'small',
    cwd: '/somewhere',
    timestamp: '2025-12-25 11:56:26',
    ...figures,
    turns,
    messages,
  }
}
