/** A `{{name}}`, and whether a backslash before it makes it literal. */
const TEMPLATE = /(\\?)\{\{([^{}]*)\}\}/g

/** Whether a text may contain a template. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{')
}

/** Returns the name of a text that is one template and nothing else. */
export function soleTemplate(text: string): string | undefined {
  return /^\{\{([^{}]*)\}\}$/.exec(text)?.[1]?.trim()
}

/** Replaces each `{{name}}` by a text, and `\{{name}}` by `{{name}}`. */
export function fillTemplates(text: string, fill: (name: string) => string): string {
  if (!hasTemplate(text)) return text
  return text.replace(TEMPLATE, (found: string, backslash: string, name: string) =>
    backslash === '' ? fill(name.trim()) : found.slice(1),
  )
}

/** Replaces some templates in a text that is filled in again later. What is inserted is literal then. */
export function fillSomeTemplates(text: string, fill: (name: string) => string | undefined): string {
  if (!hasTemplate(text)) return text
  return text.replace(TEMPLATE, (found: string, backslash: string, name: string) => {
    const filled = backslash === '' ? fill(name.trim()) : undefined
    return filled === undefined ? found : filled.replace(/\{\{[^{}]*\}\}/g, inserted => `\\${inserted}`)
  })
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
