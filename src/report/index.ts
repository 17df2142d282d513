import { csv } from './csv.ts'
import { github } from './github.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import type { Reporter } from './reporter.ts'
import { skillCreator } from './skill-creator.ts'
import { text } from './text.ts'

export const reporters: readonly Reporter[] = [html, text, markdown, junit, csv, json, jsonl, github, skillCreator]
