import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import type { Reporter } from './reporter.ts'
import { skillCreator } from './skill-creator.ts'

/** Every kind of report. */
export const reporters: readonly Reporter[] = [jsonl, json, skillCreator]
