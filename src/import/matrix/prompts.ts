import { basename, extname } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { slug } from '../../lib/paths.ts'
import type { ImportContext } from '../format.ts'
import { looksLikeChat } from '../messages.ts'
import type { Written } from '../written.ts'

/** A message of a prompt, whose texts are templates. */
export type PromptMessage = Readonly<Record<string, unknown>>

/** A prompt of a configuration: a template, or messages with templates. */
export interface Prompt {
  readonly name: string
  readonly content: string | readonly PromptMessage[]
  readonly at: Written['at']
}

/** Reads the prompts of a configuration; those that are made by programs are noted and left out. */
export async function readPrompts(prompts: Written | undefined, context: ImportContext): Promise<Prompt[]> {
  const found: Unnamed[] = []
  for (const each of prompts?.list() ?? []) found.push(...(await promptsOf(each, context)))
  return withNames(found)
}

type Unnamed = Omit<Prompt, 'name'> & { readonly name?: string | undefined }

async function promptsOf(written: Written, context: ImportContext): Promise<Unnamed[]> {
  if (written.isMapping()) {
    const name = written.get('label', 'name')?.text()
    const own = written.get('raw') ?? written.get('path', 'file') ?? written.get('id', 'prompt', 'content')
    const inner = own?.value === undefined ? [] : await promptsOf(own, context)
    if (!own) context.notes.leftOut(written.at, 'a prompt without text')
    return inner.map(prompt => ({ ...prompt, name: inner.length === 1 ? (name ?? prompt.name) : prompt.name }))
  }
  const text = written.text()
  if (text === undefined) {
    context.notes.leftOut(written.at, 'a prompt that is not a text')
    return []
  }
  return isFile(text) ? filePrompts(text, written, context) : [{ content: contentOf(text), at: written.at }]
}

function isFile(text: string): boolean {
  return /^file:\/\//.test(text) || /^[^\s{}]+\.(?:txt|md|json|jsonl|ya?ml|j2|[cm]?[jt]s|py)(?::\w+)?$/.test(text)
}

/** A text that is a list of messages in JSON is a chat. */
function contentOf(text: string): Prompt['content'] {
  const value = /^\s*\[/.test(text) ? parseJson(text) : undefined
  return looksLikeChat(value) ? value : text
}

async function filePrompts(text: string, written: Written, context: ImportContext): Promise<Unnamed[]> {
  const { files, notes } = context
  if (/\.(?:[cm]?[jt]s|py)(?::\w+)?$|^exec:/.test(text)) {
    notes.leftOut(written.at, 'a prompt that a program makes')
    return []
  }
  const paths = await files.matches(text, written.at.file)
  if (paths.length === 0) notes.leftOut(written.at, 'no file matches the prompt')
  const found: Unnamed[] = []
  for (const path of paths) {
    const parsed = await files.parse(path, 'text')
    if ('problem' in parsed) notes.leftOut(written.at, `the file of a prompt ${parsed.problem}`)
    else found.push(...promptsIn(parsed, path))
  }
  return found
}

function promptsIn(parsed: Written, path: string): Unnamed[] {
  const name = basename(path, extname(path))
  const { value, at } = parsed
  if (Array.isArray(value) && extname(path) === '.jsonl')
    return parsed.items().map(({ value, at }) => ({ content: asContent(value), at }))
  if (typeof value !== 'string') return [{ name, content: asContent(value), at }]
  // In a text file, lines of dashes separate prompts.
  const texts = extname(path) === '.txt' ? value.split(/^---\s*$/m) : [value]
  const given = texts.map(text => text.trim()).filter(text => text !== '')
  return given.map((text, index) => ({
    name: given.length === 1 ? name : `${name}-${index + 1}`,
    content: contentOf(text),
    at,
  }))
}

function asContent(value: unknown): Prompt['content'] {
  if (looksLikeChat(value)) return value
  return typeof value === 'string' ? value : JSON.stringify(value)
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
