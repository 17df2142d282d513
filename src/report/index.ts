import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import type { Reporter } from './reporter.ts'

/** Every report that can be written into a file. */
export const reporters: readonly Reporter[] = [jsonl, json]
