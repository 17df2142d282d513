import { dump } from 'js-yaml'

/** Formats a value as a fenced block of YAML. */
export function yamlExample(value: unknown): string {
  return `\`\`\`yaml\n${dump(value, { lineWidth: 100, flowLevel: 4 }).trimEnd()}\n\`\`\``
}
