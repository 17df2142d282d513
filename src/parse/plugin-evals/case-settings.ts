import { isMapping } from '../../lib/objects.ts'
import { type CaseFields, caseFileSchema, promptFieldsSchema } from '../../spec/plugin-evals/case-fields.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { LoadContext } from '../suite/load-context.ts'
import { readFrontmatter } from '../yaml/frontmatter.ts'
import { readDocument } from '../yaml/read-document.ts'
import { SourceNode } from '../yaml/source-node.ts'
import type { CaseFolder } from './find-cases.ts'

/** The settings of a case, from `case.yaml` and `prompt.md`. */
export interface CaseSettings {
  readonly fields: CaseFields
  /** Where each setting is written. */
  readonly nodes: { readonly [Key in keyof CaseFields]?: SourceNode }
  /** Node of the file that the case is reported at. */
  readonly at: SourceNode
  /** The graders of `case.yaml`, as written. */
  readonly graders: readonly { readonly raw: unknown; readonly at: SourceNode }[]
}

type Part = CaseSettings

/** Reads the settings of a case; those of `prompt.md` replace those of `case.yaml` key by key. */
export async function readCaseSettings(
  { prompt_file, case_file }: CaseFolder,
  context: LoadContext,
): Promise<CaseSettings | undefined> {
  const base = case_file === undefined ? undefined : await readCaseFile(case_file, context)
  const over = prompt_file === undefined ? undefined : await readPromptFile(prompt_file, context)
  if (!base || !over) return over ?? base
  return {
    fields: { ...base.fields, ...over.fields },
    nodes: { ...base.nodes, ...over.nodes },
    at: over.at,
    graders: base.graders,
  }
}

async function readPromptFile(path: string, { files, diagnostics }: LoadContext): Promise<Part | undefined> {
  const source = await files.read(path)
  if (!source) return undefined
  const { value, at, body, bodyAt, isOpen } = readFrontmatter(source, diagnostics)
  if (isOpen) {
    const message = 'the frontmatter has no end'
    const hint = 'add a line `---` after the settings'
    diagnostics.add({ code: 'yaml-syntax', at: source.location(0, 3), message, hint })
  }
  const fields = checkShape(promptFieldsSchema(), value ?? {}, at, diagnostics) ?? {}
  const written = body === '' ? {} : { prompt: body.replaceAll('\r\n', '\n') }
  return {
    fields: { ...fields, ...written },
    nodes: { ...nodesOf(fields, at), ...(body === '' ? {} : { prompt: bodyAt }) },
    at,
    graders: [],
  }
}

async function readCaseFile(path: string, { files, diagnostics }: LoadContext): Promise<Part | undefined> {
  const source = await files.read(path)
  const document = source && readDocument(source, diagnostics)
  if (!document) return source && { fields: {}, nodes: {}, at: SourceNode.ofText(source, 0, 0), graders: [] }
  const { value, at } = document
  const shape = checkShape(caseFileSchema(), value ?? {}, at, diagnostics)
  // Graders are checked even if other keys are wrong.
  const written = isMapping(value) && Array.isArray(value['graders']) ? value['graders'] : []
  const graders = written.map((raw, index) => ({ raw, at: at.child('graders', index) }))
  if (!shape) return { fields: {}, nodes: {}, at, graders }
  const { execution, context = {}, graders: _, ...about } = shape
  return {
    fields: { ...about, ...execution, ...context },
    nodes: {
      ...nodesOf(about, at),
      ...nodesOf(execution, at.child('execution')),
      ...nodesOf(context, at.child('context')),
    },
    at,
    graders,
  }
}

function nodesOf(fields: object, at: SourceNode): Record<string, SourceNode> {
  return Object.fromEntries(Object.keys(fields).map(key => [key, at.child(key)]))
}
