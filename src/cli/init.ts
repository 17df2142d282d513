import { resolve } from 'node:path'
import { nodeHost } from '../host/node.ts'
import { onOneLine, safeJson } from '../lib/printable.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { schemas } from './schema.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** `assay init`: a first suite, ready to be changed. */
export async function init(folder: string, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  const host = nodeHost()
  const result = { written: [] as string[], kept: [] as string[] }
  for (const [path, text] of Object.entries(starterFiles())) {
    const file = resolve(host.cwd, folder, path)
    const problem = await host.writeNew(file, text).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    )
    if (problem === undefined) result.written.push(shownPath(file))
    else if (problem.code === 'EEXIST') result.kept.push(shownPath(file))
    else {
      const written = result.written.map(path => `wrote ${onOneLine(path)}\n`).join('')
      terminal.err(`${written}Cannot write ${onOneLine(`${shownPath(file)}: ${problem.message}`)}\n`)
      return EXIT.mistakes
    }
  }
  terminal.out(json ? safeJson(`${JSON.stringify(result, null, 2)}\n`) : resultText(result))
  return EXIT.ok
}

function resultText({ written, kept }: { written: string[]; kept: string[] }): string {
  const lines = [
    ...written.map(file => `wrote ${onOneLine(file)}`),
    ...kept.map(file => `kept  ${onOneLine(file)} (already exists)`),
    '',
    'Next: assay eval',
  ]
  return `${lines.join('\n')}\n`
}

function starterFiles(): Record<string, string> {
  return {
    'EVAL.yaml': SUITE,
    '.assay/targets.yaml': TARGETS,
    '.assay/.gitignore': 'runs/\ncache/\n',
    '.assay/schema/eval.schema.json': schemas.eval(),
    '.assay/schema/targets.schema.json': schemas.targets(),
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
