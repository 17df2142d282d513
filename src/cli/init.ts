import { resolve } from 'node:path'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { findJudgeFiles } from '../parse/suite/judge-files.ts'
import { editorEvalSchema } from '../spec/editor-schema.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { isNewer, markedSchema, writtenBy } from './marked-schema.ts'
import { schemas, schemaText } from './schema.ts'
import { shownPath, terminal } from './terminal/terminal.ts'
import { version } from './version.ts'

type Outcome = 'written' | 'updated' | 'kept' | 'edited' | 'newer'

/** `assay init`: a first suite, ready to be changed, and schemas for editors that belong to this version. */
export async function init(folder: string, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  const host = nodeHost()
  const done: { readonly path: string; readonly outcome: Outcome }[] = []
  const judges = await findJudgeFiles(resolve(host.cwd, folder), new Files(host, new Diagnostics()))
  for (const [path, text] of Object.entries(starterFiles([...judges.keys()].sort()))) {
    const file = resolve(host.cwd, folder, path)
    try {
      done.push({ path: shownPath(file), outcome: await written(file, text, host) })
    } catch (error) {
      const written = done.map(each => lineOf(each)).join('')
      terminal.err(`${written}Cannot write ${printableLine(`${shownPath(file)}: ${(error as Error).message}`)}\n`)
      return EXIT.mistakes
    }
  }
  const pathsOf = (...outcomes: Outcome[]) =>
    done.filter(({ outcome }) => outcomes.includes(outcome)).map(({ path }) => path)
  const data = { written: pathsOf('written'), updated: pathsOf('updated'), kept: pathsOf('kept', 'edited', 'newer') }
  terminal.out(
    json ? terminalSafeJson(`${JSON.stringify(data, null, 2)}\n`) : `${done.map(lineOf).join('')}\nNext: assay eval\n`,
  )
  return EXIT.ok
}

/** Writes a file that is not there, or that an older version wrote and that was not edited since. */
async function written(file: string, text: string, host: Host): Promise<Outcome> {
  try {
    await host.files.writeNew(file, text)
    return 'written'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (writtenBy(text) === undefined) return 'kept'
  const found = decodeUtf8(await host.files.read(file)).text
  if (found === text) return 'kept'
  const by = writtenBy(found)
  if (by === undefined) return 'edited'
  if (isNewer(by, version)) return 'newer'
  await host.files.write(file, text)
  return 'updated'
}

const WORDS: Readonly<Record<Outcome, readonly [string, string]>> = {
  written: ['wrote', ''],
  updated: ['wrote', ' (updated)'],
  kept: ['kept ', ' (already exists)'],
  edited: ['kept ', ' (not as this program wrote it: delete it to get the current one)'],
  newer: ['kept ', ' (written by a newer version)'],
}

function lineOf({ path, outcome }: { readonly path: string; readonly outcome: Outcome }): string {
  const [verb, note] = WORDS[outcome]
  return `${verb} ${printableLine(path)}${note}\n`
}

/** The files to begin with; the schema for editors knows the judges of the project. */
function starterFiles(judges: readonly string[]): Record<string, string> {
  return {
    'EVAL.yaml': SUITE,
    '.assay/targets.yaml': TARGETS,
    '.assay/.gitignore': 'runs/\ncache/\n',
    '.assay/schema/eval.schema.json': markedSchema(schemaText(editorEvalSchema(evaluators, judges)), version),
    '.assay/schema/targets.schema.json': markedSchema(schemas.targets(), version),
  }
}

const SUITE = `# yaml-language-server: $schema=./.assay/schema/eval.schema.json
name: first-suite
version: "1.0"
description: Does the agent greet people, and keep to the facts?

execution:
  target: default

tests:
  - id: greets-by-name
    criteria: The agent greets Alice by her name
    input: "Hello, my name is Alice!"
    assert:
      - type: contains
        value: Alice
        required: true
      - type: regex
        value: "^(hello|hi)\\\\b"
        flags: i

  - id: knows-the-capital
    criteria: The agent names Paris, and no other city
    input: "What is the capital of France? One word, please."
    assert:
      - type: equals
        value: Paris
`

const TARGETS = `# yaml-language-server: $schema=./schema/targets.schema.json
targets:
  # Answers from this table: change it to your agent.
  - name: default
    provider: mock
    responses:
      - pattern: "my name is (\\\\w+)"
        response: "Hello, Alice! Nice to meet you."
      - pattern: "capital of France"
        response: "Paris"

  # A program of yours: the prompt comes on stdin, what it prints is the answer.
  # - name: default
  #   provider: cli
  #   command: [node, agent.mjs]
`
