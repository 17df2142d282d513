import type { ComparisonFormatter } from './comparison-formatter.ts'

/** A format of comparisons: its name for `--format`, its extension for `-o`, and what writes it. */
export interface ComparisonFormat {
  readonly type: string
  readonly extension: string
  load(): Promise<ComparisonFormatter>
}

export const comparisonFormats: readonly ComparisonFormat[] = [
  { type: 'text', extension: '.txt', load: async () => (await import('./text.ts')).text },
  { type: 'markdown', extension: '.md', load: async () => (await import('./markdown.ts')).markdown },
  { type: 'json', extension: '.json', load: async () => (await import('./json.ts')).json },
  { type: 'html', extension: '.html', load: async () => (await import('./html.ts')).html },
]
