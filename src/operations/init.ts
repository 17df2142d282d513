import { resolve } from 'node:path'
import { evaluators } from '../evaluators/index.ts'
import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { shortHash } from '../lib/sha256.ts'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import { Diagnostics } from '../parse/diagnostics.ts'
import { Files } from '../parse/files.ts'
import { findJudgeFiles } from '../parse/suite/judge-files.ts'
import { editorEvalSchema } from '../spec/editor-schema.ts'
import { type CiSystem, ciWorkflow } from './ci-workflow.ts'
import { type Template, templateFiles } from './init-templates.ts'
import { schemas, schemaText } from './schemas.ts'
import { version } from './version.ts'

/** What became of a file: edited and newer ones are kept. */
export type InitState = 'written' | 'updated' | 'kept' | 'edited' | 'newer'

export interface InitResult {
  readonly files: readonly { readonly path: string; readonly state: InitState }[]
  /** The file that could not be written, and why; no file after it was tried. */
  readonly problem: { readonly path: string; readonly message: string } | undefined
  /** Files of the template that existed with other content: its suite does not pass as it is. */
  readonly missing?: readonly string[] | undefined
  /** The file that the existing configuration of the CI system has to include, from the root of the repository. */
  readonly include?: string | undefined
}

/** What to write besides the first suite. */
export interface InitOptions {
  /** The CI system that gets a workflow. */
  readonly ci?: CiSystem | undefined
  /** The kind of agent that the suite is for. Default: answers from a table. */
  readonly template?: Template | undefined
}

/** Writes a first suite, its targets, schemas for editors and a workflow for a CI system. Never replaces files of others. */
export async function init(folder: string, host: Host, { ci, template }: InitOptions = {}): Promise<InitResult> {
  const judges = await findJudgeFiles(resolve(host.cwd, folder), new Files(host, new Diagnostics()))
  const starters = Object.entries(starterFiles([...judges.keys()].sort(), template))
  const first = await writeAll(
    starters.map(([name, text]) => ({ path: resolve(host.cwd, folder, name), text })),
    host,
  )
  const missing = template && (await differingFiles(folder, templateFiles(template), host))
  if (first.problem || ci === undefined) return { ...first, missing }
  // Outside of git, the folder that was just written is the root.
  const workflow = await ciWorkflow(ci, folder, host)
  const { files, problem } = await writeAll([workflow], host)
  return { files: [...first.files, ...files], problem, missing, include: workflow.include }
}

async function differingFiles(folder: string, wanted: Readonly<Record<string, string>>, host: Host): Promise<string[]> {
  const paths: string[] = []
  for (const [name, text] of Object.entries(wanted)) {
    const path = resolve(host.cwd, folder, name)
    const found = await host.files.read(path).then(decodeUtf8, () => undefined)
    if (found?.text !== text) paths.push(path)
  }
  return paths
}

async function writeAll(
  wanted: readonly { readonly path: string; readonly text: string }[],
  host: Host,
): Promise<InitResult> {
  const files: InitResult['files'][number][] = []
  for (const { path, text } of wanted) {
    try {
      files.push({ path, state: await writeStarter(path, text, host) })
    } catch (error) {
      return { files, problem: { path, message: (error as Error).message } }
    }
  }
  return { files, problem: undefined }
}

/** Writes a file that is not there, or that an older version wrote and that was not edited since. */
async function writeStarter(file: string, text: string, host: Host): Promise<InitState> {
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

/** The files to begin with; the schema for editors knows the judges of the project. */
function starterFiles(judges: readonly string[], template: Template | undefined): Record<string, string> {
  return {
    ...(template ? templateFiles(template) : { 'EVAL.yaml': SUITE, '.assay/targets.yaml': TARGETS }),
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

const MARK = /^Written by assay (\S+), hash ([0-9a-f]+)\. `assay init` replaces it, unless it is edited\.$/

/** A JSON Schema with a comment by which a later version of the program knows its own, unedited file. */
export function markedSchema(schema: string, version: string): string {
  const { $schema, ...rest } = JSON.parse(schema) as Record<string, unknown>
  const $comment = `Written by assay ${version}, hash ${shortHash(schema)}. \`assay init\` replaces it, unless it is edited.`
  return schemaText({ $schema, $comment, ...rest })
}

/** The version of the program that wrote a schema; undefined where the text is not, or no longer, as it was written. */
export function writtenBy(text: string): string | undefined {
  const schema = parseJson(text)
  const { $comment, ...rest } = isMapping(schema) ? schema : {}
  const version = MARK.exec(String($comment))?.[1]
  return version !== undefined && markedSchema(schemaText(rest), version) === text ? version : undefined
}

/** Whether a version such as 1.10.0 comes after another. */
export function isNewer(version: string, than: string): boolean {
  const [parts, others] = [version, than].map(each => each.split(/[.-]/).map(Number)) as [number[], number[]]
  const index = parts.findIndex((part, nth) => part !== others[nth])
  return index >= 0 && (parts[index] ?? 0) > (others[index] ?? 0)
}
