import { basename, extname } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import { slug } from '../../lib/paths.ts'
import type { ImportContext } from '../format.ts'
import { mapStrings } from '../map-strings.ts'
import { looksLikeChat } from '../messages.ts'
import type { Written } from '../written.ts'
import { render } from './template.ts'

/** A message of a prompt, whose texts are templates. */
export type PromptMessage = Readonly<Record<string, unknown>>

/** What a prompt consists of: a template, messages with templates, or JSON of which every text is a template. */
export type PromptContent = string | readonly PromptMessage[] | { readonly json: unknown }

/** A prompt of a configuration. */
export interface Prompt {
  /** Unique within the configuration. */
  readonly name: string
  readonly content: PromptContent
  readonly at: Written['at']
  /** What tests and providers may call it: its label, its file and its text. */
  readonly labels: readonly string[]
}

/** Reads the prompts of a configuration; those that Assay cannot make are noted and left out. */
export async function readPrompts(prompts: Written | undefined, context: ImportContext): Promise<Prompt[]> {
  const found: Unnamed[] = []
  for (const each of prompts?.list() ?? []) found.push(...(await promptsOf(each, context)))
  return withNames(found.filter(prompt => isSupported(prompt, context)))
}

/** Whether a reference of a test or provider, which may end with `*`, means a prompt. */
export function meansPrompt(reference: string, { labels }: Prompt): boolean {
  return labels.some(label => meansLabel(reference, label))
}

/** Whether a reference means what has a label: the label itself, its beginning with `*`, or its beginning up to a colon. */
export function meansLabel(reference: string, label: string): boolean {
  if (label === reference || label.startsWith(`${reference}:`)) return true
  return reference.endsWith('*') && label.startsWith(reference.slice(0, -1))
}

type Unnamed = Omit<Prompt, 'name'> & { readonly name?: string | undefined }

async function promptsOf(written: Written, context: ImportContext): Promise<Unnamed[]> {
  if (written.isMapping()) {
    const name = written.get('label', 'name')?.text()
    const own = written.get('raw') ?? written.get('path', 'file') ?? written.get('id', 'prompt', 'content')
    const inner = own?.value === undefined ? [] : await promptsOf(own, context)
    if (!own) context.notes.leftOut(written.at, 'a prompt without text')
    const labels = [name, written.get('id')?.text()].flatMap(label => label ?? [])
    return inner.map(prompt => ({
      ...prompt,
      labels: [...labels, ...prompt.labels],
      name: inner.length === 1 ? (name ?? prompt.name) : prompt.name,
    }))
  }
  const text = written.text()
  if (text === undefined) {
    context.notes.leftOut(written.at, 'a prompt that is not a text')
    return []
  }
  if (isFile(text)) return filePrompts(text, written, context)
  return [{ content: contentOf(text), at: written.at, labels: [text] }]
}

function isFile(text: string): boolean {
  return /^(?:file|exec|langfuse|portkey|helicone):/.test(text) || FILE_NAME.test(text)
}

const FILE_NAME = /^[^\s{}]+\.(?:txt|md|json|jsonl|ya?ml|j2|[cm]?[jt]s|py)(?::\w+)?$/

/** A text that is a list of messages in JSON is a chat. In other JSON, the values of variables are escaped. */
function contentOf(text: string): PromptContent {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  if (looksLikeChat(value)) return value
  return Array.isArray(value) || isMapping(value) ? { json: value } : text
}

async function filePrompts(text: string, written: Written, context: ImportContext): Promise<Unnamed[]> {
  const { files, notes } = context
  if (/\.(?:[cm]?[jt]s|py)(?::\w+)?$|^(?!file:)\w+:/.test(text)) {
    notes.leftOut(written.at, 'a prompt that a program or a service makes')
    return []
  }
  const paths = await files.matches(text, written.at.file)
  if (paths.length === 0) notes.leftOut(written.at, 'no file matches the prompt')
  const found: Unnamed[] = []
  for (const path of paths) {
    const parsed = await files.parse(path, 'text')
    if ('problem' in parsed) notes.leftOut(written.at, `the file of a prompt ${parsed.problem}`)
    else found.push(...promptsIn(parsed, path).map(prompt => ({ ...prompt, labels: [text, ...prompt.labels] })))
  }
  return found
}

function promptsIn(parsed: Written, path: string): Unnamed[] {
  const name = basename(path, extname(path))
  const { value, at } = parsed
  const labels = [basename(path), name]
  if (Array.isArray(value) && extname(path) === '.jsonl')
    return parsed.items().map(({ value, at }) => ({ content: asContent(value), at, labels }))
  if (typeof value !== 'string') return [{ name, content: asContent(value), at, labels }]
  // In a text file, lines of dashes separate prompts.
  const texts = extname(path) === '.txt' ? value.split(/^---\s*$/m) : [value]
  const given = texts.map(text => text.trim()).filter(text => text !== '')
  return given.map((text, index) => ({
    name: given.length === 1 ? name : `${name}-${index + 1}`,
    content: contentOf(text),
    at,
    labels,
  }))
}

function asContent(value: unknown): PromptContent {
  if (looksLikeChat(value)) return value
  return typeof value === 'string' ? value : { json: value }
}

/** Notes a prompt with parts of a template that are not filled in here, such as loops. */
function isSupported({ content, at }: Unnamed, { notes }: ImportContext): boolean {
  let isSupported = true
  mapStrings(content, text => {
    if ('unsupported' in render(text, {})) isSupported = false
    return text
  })
  if (isSupported) return true
  notes.leftOut(at, 'a prompt with statements or filters of a template')
  return false
}

/** Prompts without a name are numbered; of two with one name, the second gets a number. */
function withNames(prompts: readonly Unnamed[]): Prompt[] {
  const taken = new Set<string>()
  return prompts.map((prompt, index) => {
    const plain = slug(prompt.name ?? '', 40) || `prompt-${index + 1}`
    let name = plain
    for (let next = 2; taken.has(name); next++) name = `${plain}-${next}`
    taken.add(name)
    return { ...prompt, name }
  })
}
