import type { Reporter } from './reporter.ts'

/** A report format: its name for `--format`, its extension for `-o`, and its reporter, which is loaded when it is used. */
export interface ReportFormat {
  readonly type: string
  /** Undefined for a folder, and for a format that is only printed. */
  readonly extension?: string
  load(): Promise<Reporter>
}

export const reportFormats: readonly ReportFormat[] = [
  { type: 'html', extension: '.html', load: async () => (await import('./html.ts')).html },
  { type: 'text', extension: '.txt', load: async () => (await import('./text.ts')).text },
  { type: 'markdown', extension: '.md', load: async () => (await import('./markdown.ts')).markdown },
  { type: 'junit', extension: '.xml', load: async () => (await import('./junit.ts')).junit },
  { type: 'csv', extension: '.csv', load: async () => (await import('./csv.ts')).csv },
  { type: 'json', extension: '.json', load: async () => (await import('./json.ts')).json },
  { type: 'jsonl', extension: '.jsonl', load: async () => (await import('./jsonl.ts')).jsonl },
  { type: 'otel', load: async () => (await import('./otel.ts')).otel },
  { type: 'github', load: async () => (await import('./github.ts')).github },
  { type: 'plugin-evals', load: async () => (await import('./plugin-evals.ts')).pluginEvals },
  { type: 'skill-creator', load: async () => (await import('./skill-creator.ts')).skillCreator },
  { type: 'agentskills', load: async () => (await import('./agentskills.ts')).agentskills },
]
