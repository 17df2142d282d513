import { isMapping } from '../lib/objects.ts'
import { truncate } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import type { ToolCall } from '../model/answer.ts'
import { type AttributedCall, isOwn, subagentName } from '../model/messages/subagents.ts'
import type { PluginGraders } from '../model/plugin-grader.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { patternOf } from './shared/plugin-graders.ts'
import { toolCallsOf } from './shared/trajectories/transcript.ts'

const config = () =>
  z.strictObject({
    skill: z.string().min(1).describe('Name of the skill.'),
    should_trigger: z.boolean().default(true).describe('Whether the skill should be used.'),
    scan: z.enum(['first', 'all']).default('first').describe('Which tool calls count: the first one, or all.'),
    match: z
      .enum(['name', 'substring'])
      .default('name')
      .describe('Match the name as a whole name or path segment, or anywhere in a longer text.'),
  })

type TriggerConfig = z.output<ReturnType<typeof config>>

export const triggerJudge = defineEvaluator({
  type: 'trigger_judge',
  aliases: ['skill_trigger'],
  summary: 'The agent used a skill first, or did not use it.',
  notes: [
    'A skill is used if the tool `Skill` is called with its name in `skill`, or the tool `Read` with its name in `file_path`. Names are case-sensitive. By default only the first tool call counts; with `scan: all`, those of subagents count too. If the transcript has no tool calls, the skill was not used. An answer without a transcript is an error.',
    'The check does not apply to a target that is known not to have the skill, whether the skill should be used or not: a coding agent with an isolated configuration and other `skills`, or `skills: []`. A target that may have it is judged. `applies_to` overrides this.',
    'The whole name must match: alone (`csv-analyzer`), after the name of a plugin (`data:csv-analyzer`), or as a segment of the path (`/x/skills/csv-analyzer/SKILL.md`, also with `\\`; `..` is resolved). `csv-analyzer-pro` is another skill. With `match: substring` the name matches anywhere, as in the public specification.',
  ],
  config,
  examples: [
    { title: 'The skill is used', check: { type: 'trigger_judge', skill: 'csv-analyzer' } },
    {
      title: 'The skill is not used',
      check: { type: 'trigger_judge', skill: 'csv-analyzer', should_trigger: false },
    },
  ],
  about_calls: true,
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
  applies: ({ skill, match }, { skills }) => skills === undefined || skills.some(name => isSkill(name, skill, match)),
  probing: {
    asksForCalls: ({ should_trigger }) => should_trigger,
    probes: ({ skill }) => ({ probes: [{ calls: [{ tool: 'Skill', input: { skill } }] }], is_complete: true }),
  },
  trigger: ({ skill, should_trigger }) => ({ skill, should_trigger }),
  plugin: ({ config, negate }) => gradersOf(config, negate),
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

function gradersOf({ skill, should_trigger, scan, match }: TriggerConfig, negate: boolean): PluginGraders {
  const name = patternOf.text(JSON.stringify(skill).slice(1, -1))
  const input_match = match === 'name' ? `"skill":"(?:[^"]*[:/])?${name}"` : `"skill":"[^"]*${name}`
  const isWanted = should_trigger !== negate
  // Without the skill, it cannot be used: both arms can fulfil only what must not happen.
  const keys = isWanted ? {} : { min: 0, max: 0, arm: 'both' }
  return {
    graders: [{ type: 'tool_used', keys: { tool: 'Skill', input_match, ...keys } }],
    lost: [
      ...(scan === 'first' ? ['`scan: first` (there, every call counts)'] : []),
      'the use of a skill by reading its file',
      ...(isWanted ? ['its part in the score (there, the use of a skill is reported and not scored)'] : []),
    ],
  }
}

/** Whether a call uses a skill: through the tool for skills, or by reading the skill's file. */
function usesSkill({ tool, input }: ToolCall, skill: string, match: 'name' | 'substring'): boolean {
  const key = tool === 'Skill' ? 'skill' : tool === 'Read' ? 'file_path' : undefined
  const value = key !== undefined && isMapping(input) ? input[key] : undefined
  if (typeof value !== 'string') return false
  if (match === 'substring') return value.includes(skill)
  const path = `/${normalizePath(value.trim())}/`
  const name = `${skill.replaceAll('\\', '/')}/`
  return [`/${name}`, `:${name}`].some(whole => (tool === 'Skill' ? path.endsWith(whole) : path.includes(whole)))
}

/** Whether a skill that a target has may be the one that a check names. */
function isSkill(name: string, skill: string, match: 'name' | 'substring'): boolean {
  const calls = [
    { tool: 'Skill', input: { skill: name } },
    { tool: 'Read', input: { file_path: `/skills/${name}/SKILL.md` } },
  ]
  return calls.some(call => usesSkill(call, skill, match))
}

/** Normalizes a path: `/` as separator, without `.` and `..`. */
function normalizePath(path: string): string {
  const segments: string[] = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

function instead(calls: readonly AttributedCall[], scan: 'first' | 'all'): string {
  const [first] = calls
  if (!first) return ': it called no tool'
  return scan === 'first' ? `: its first call was ${callText(first)}` : ''
}

const LONGEST = 100

/** `search {"query":"rain"}`: a tool with its arguments. */
function callText(call: AttributedCall): string {
  const { tool, input } = call
  const by = isOwn(call) ? '' : ` by ${subagentName(call)}`
  if (input === undefined || input === 'any') return `${tool}${by}`
  return `${tool} ${truncate(JSON.stringify(input), LONGEST)}${by}`
}
