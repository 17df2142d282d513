import { wellFormed } from '../../../lib/well-formed.ts'

const VARIABLE = /\{\{\s*(prompt|messages|test_id)\s*\}\}/g

export interface TemplateValues {
  readonly prompt: string
  readonly messages: readonly object[]
  readonly test_id: string
}

/** JSON with its variables filled in: a string that is one variable becomes its value, others are text. */
export function filledTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') return filledText(template, values)
  if (Array.isArray(template)) return template.map(item => filledTemplate(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filledTemplate(value, values)]))
}

/** A URL with its variables filled in, each encoded. */
export function filledUrl(url: string, values: TemplateValues): string {
  return url.replace(VARIABLE, (_, name) =>
    encodeURIComponent(wellFormed(asText(values[name as keyof TemplateValues]))),
  )
}

function filledText(text: string, values: TemplateValues): unknown {
  const [only] = text.matchAll(VARIABLE)
  if (only && only[0] === text.trim()) return values[only[1] as keyof TemplateValues]
  return text.replace(VARIABLE, (_, name) => asText(values[name as keyof TemplateValues]))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
