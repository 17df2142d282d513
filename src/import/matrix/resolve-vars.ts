import { isTemplate, render, type Vars } from './template.ts'

/** Times that a value may name another one which names a third: a cycle ends here. */
const MOST_STEPS = 5

/**
 * Fills in variables that are named in the values of others, and removes a line break at the end of a text. What cannot
 * be filled in stays as it is.
 */
export function resolveVars(vars: Vars): Vars {
  let resolved: Vars = mapTexts(vars, text => text.replace(/\n$/, ''))
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = resolved
    resolved = mapTexts(before, text => filled(text, before))
    if (Object.entries(resolved).every(([name, value]) => before[name] === value)) break
  }
  return resolved
}

function filled(text: string, vars: Vars): string {
  if (!isTemplate(text)) return text
  const rendered = render(text, vars)
  return 'text' in rendered && rendered.missing.length === 0 ? rendered.text : text
}

function mapTexts(vars: Vars, change: (text: string) => string): Vars {
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  )
}
