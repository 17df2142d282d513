import * as z from 'zod'
import { isMapping } from '../lib/objects.ts'
import { truncate } from '../lib/text/quote.ts'
import type { ToolCall } from '../model/answer.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { toolCallsOf } from './shared/trajectories/transcript.ts'

export const triggerJudge = defineEvaluator({
  type: 'trigger_judge',
  aliases: ['skill_trigger'],
  summary: 'The agent reached for a skill first, or left it alone.',
  notes: [
    'A skill is used when the tool `Skill` is called with its name in `skill`, or the tool `Read` with its name in `file_path`; upper and lower case differ. By default only the first tool call counts. A transcript without calls means: not used. An answer that came as text only is an error.',
    'The name counts as a whole: alone (`csv-analyzer`), after the name of a plugin (`data:csv-analyzer`), or as a segment of the path that is read (`/x/skills/csv-analyzer/SKILL.md`, also with `\\`; `..` is resolved). `csv-analyzer-pro` is another skill. With `match: substring` the name counts anywhere, as in the public specification.',
  ],
  config: z.strictObject({
    skill: z.string().min(1).describe('Name of the skill.'),
    should_trigger: z.boolean().default(true).describe('Whether the skill should be used.'),
    scan: z.enum(['first', 'all']).default('first').describe('Look at the first tool call only, or at all of them.'),
    match: z
      .enum(['name', 'substring'])
      .default('name')
      .describe('Take the name as a whole name or path segment, or anywhere in a longer text.'),
  }),
  examples: [
    { title: 'The skill is used', check: { type: 'trigger_judge', skill: 'csv-analyzer' } },
    {
      title: 'The skill is left alone',
      check: { type: 'trigger_judge', skill: 'csv-analyzer', should_trigger: false },
    },
  ],
  sentences: {
    write: ({ config, negate }) => {
      const verb = config.should_trigger === negate ? 'does not use' : 'uses'
      return [`Agent ${verb} the skill ${config.skill}`]
    },
    omits: ({ scan, match }) => [
      ...(scan === 'first' ? [] : ['`scan: all`']),
      ...(match === 'name' ? [] : ['`match: substring`']),
    ],
  },
  trigger: ({ skill, should_trigger }) => ({ skill, should_trigger }),
  grade: ({ skill, should_trigger, scan, match }, { answer }) => {
    const calls = toolCallsOf(answer)
    const found = (scan === 'first' ? calls.slice(0, 1) : calls).find(call => usesSkill(call, skill, match))
    const fact = found
      ? `used the skill ${skill} (${callText(found)})`
      : `did not use the skill ${skill}${instead(calls, scan)}`
    const triggered = found !== undefined
    const right = triggered === should_trigger
    return { score: right ? 1 : 0, hits: right ? [fact] : [], misses: right ? [] : [fact], triggered }
  },
})

/** By the tool for skills, or by reading the skill's own file. */
function usesSkill({ tool, input }: ToolCall, skill: string, match: 'name' | 'substring'): boolean {
  const key = tool === 'Skill' ? 'skill' : tool === 'Read' ? 'file_path' : undefined
  const value = key !== undefined && isMapping(input) ? input[key] : undefined
  if (typeof value !== 'string') return false
  if (match === 'substring') return value.includes(skill)
  const path = `/${resolvedPath(value.trim())}/`
  const name = `${skill.replaceAll('\\', '/')}/`
  return [`/${name}`, `:${name}`].some(whole => (tool === 'Skill' ? path.endsWith(whole) : path.includes(whole)))
}

/** A path with `/` between its segments, and without `.` and `..`. */
function resolvedPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

function instead(calls: readonly ToolCall[], scan: 'first' | 'all'): string {
  const [first] = calls
  if (!first) return ': it called no tool'
  return scan === 'first' ? `: its first call was ${callText(first)}` : ''
}

const LONGEST = 100

/** `search {"query":"rain"}`: a tool, with its arguments where there are some. */
function callText({ tool, input }: { readonly tool: string; readonly input?: unknown }): string {
  if (input === undefined || input === 'any') return tool
  return `${tool} ${truncate(JSON.stringify(input), LONGEST)}`
}
