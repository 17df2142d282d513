import { wellFormed } from '../../../lib/text/unicode.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Path } from '../../../model/location.ts'
import { unknownPlaceholderIssue } from '../placeholders.ts'

const NAMES = ['prompt', 'messages', 'test_id'] as const

const PLACEHOLDER = new RegExp(`\\{\\{\\s*(${NAMES.join('|')})\\s*\\}\\}`, 'g')

const WRITTEN: ReadonlyMap<string, string> = new Map(NAMES.map(name => [name, `{{${name}}}`]))

/** Text that looks like a placeholder. `${{ KEY }}` does not: it is an environment variable. */
const LIKE_PLACEHOLDER = /(?<!\$)\{\{\s*([\w.-]+)\s*\}\}/g

export interface TemplateValues {
  readonly prompt: string
  readonly messages: readonly object[]
  readonly test_id: string
}

/** Fills in the placeholders of a JSON value. A string that is just one placeholder becomes its value, which may be a list. */
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map(item => fillTemplate(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]))
}

/** Fills in the placeholders of a URL, percent-encoded. */
export function fillUrl(url: string, values: TemplateValues): string {
  return url.replace(PLACEHOLDER, (_, name) =>
    encodeURIComponent(wellFormed(asText(values[name as keyof TemplateValues]))),
  )
}

function fillText(text: string, values: TemplateValues): unknown {
  const [only] = text.matchAll(PLACEHOLDER)
  if (only && only[0] === text.trim()) return values[only[1] as keyof TemplateValues]
  return text.replace(PLACEHOLDER, (_, name) => asText(values[name as keyof TemplateValues]))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reports words in braces that are not placeholders, anywhere in a template. */
export function templateIssues(template: unknown, path: Path): Issue[] {
  if (typeof template === 'string') {
    return findPlaceholderLikes(template).flatMap(({ written, name }) =>
      WRITTEN.has(name) ? [] : unknownPlaceholderIssue(written, WRITTEN, name, path),
    )
  }
  if (typeof template !== 'object' || template === null) return []
  const isList = Array.isArray(template)
  return Object.entries(template).flatMap(([key, value]) =>
    templateIssues(value, [...path, isList ? Number(key) : key]),
  )
}

function findPlaceholderLikes(text: string) {
  return [...text.matchAll(LIKE_PLACEHOLDER)].map(([written, name = '']) => ({ written, name }))
}

/** Reports an invalid URL. One with environment variables is not checked: their values are unknown here. */
export function urlIssues(url: string): Issue[] {
  if (url.includes('${{')) return []
  const filled = fillUrl(url, { prompt: 'x', messages: [], test_id: 'x' })
  if (URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol)) return []
  const hint = 'write it in full, such as `http://127.0.0.1:8080/chat`'
  return [{ code: 'bad-target', path: ['url'], message: '`url` is not the URL of an http or https service', hint }]
}
