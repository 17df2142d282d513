/** A `{{name}}`, and whether a backslash before it makes it literal. */
const TEMPLATE = /(\\?)\{\{([^{}]*)\}\}/g

/** Whether a text may contain a template. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{')
}

/** Returns the name of a text that is one template and nothing else. */
export function soleTemplate(text: string): string | undefined {
  if (!hasTemplate(text)) return undefined
  const parts = partsOf(text)
  const [before, part, after] = parts
  const isSole = parts.length === 3 && before === '' && after === '' && typeof part === 'object'
  return isSole ? part.name : undefined
}

/** Replaces each `{{name}}` by a text, and `\{{name}}` by `{{name}}`. */
export function fillTemplates(text: string, fill: (name: string) => string): string {
  if (!hasTemplate(text)) return text
  let filled = ''
  for (const part of partsOf(text))
    filled += typeof part === 'string' ? part : part.name === undefined ? part.found.slice(1) : fill(part.name)
  return filled
}

/** Replaces some templates in a text that is filled in again later. What is inserted is literal then. */
export function fillSomeTemplates(text: string, fill: (name: string) => string | undefined): string {
  if (!hasTemplate(text)) return text
  return partsOf(text)
    .map(part => {
      if (typeof part === 'string') return part
      const filled = part.name === undefined ? undefined : fill(part.name)
      return filled === undefined ? part.found : filled.replace(/\{\{[^{}]*\}\}/g, inserted => `\\${inserted}`)
    })
    .join('')
}

/** A text between templates, or a template as written, with its name unless it is literal. */
type Part = string | { readonly found: string; readonly name: string | undefined }

/** The parts of recent texts: the rows of a test fill in the same ones. */
const RECENT = new Map<string, readonly Part[]>()
const MOST_RECENT = 64

function partsOf(text: string): readonly Part[] {
  const known = RECENT.get(text)
  if (known) return known
  const parts: Part[] = []
  let end = 0
  for (const { 0: found, 1: backslash, 2: name = '', index } of text.matchAll(TEMPLATE)) {
    parts.push(text.slice(end, index), { found, name: backslash === '' ? name.trim() : undefined })
    end = index + found.length
  }
  parts.push(text.slice(end))
  if (RECENT.size === MOST_RECENT) RECENT.clear()
  RECENT.set(text, parts)
  return parts
}

/** Finds the templates with a name in a text as written, where a line break may be folded. */
export function findTemplates(text: string, name: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(TEMPLATE)].flatMap(({ 0: found, 1: backslash, 2: written = '', index }) =>
    backslash === '' && sameName(written, name) ? [{ start: index, end: index + found.length }] : [],
  )
}

function sameName(written: string, name: string): boolean {
  return written.trim().replace(/\s+/g, ' ') === name.replace(/\s+/g, ' ')
}
