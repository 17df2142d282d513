import { inexpressible, type PluginGrader, type PluginGraders } from '../../../model/plugin-grader.ts'
import type { TrajectoryMode } from './trajectory-sentence.ts'

interface Trajectory {
  readonly mode: TrajectoryMode
  readonly expected?:
    | readonly { readonly tool: string; readonly args?: unknown; readonly max_duration_ms?: number | undefined }[]
    | undefined
  readonly minimums?: Readonly<Record<string, number>> | undefined
  readonly maximums?: Readonly<Record<string, number>> | undefined
  readonly forbidden?: readonly string[] | undefined
}

/** Expected calls as graders of plugin evals: one for each tool, or for each two tools in order. */
export function trajectoryGraders(trajectory: Trajectory, negate: boolean): PluginGraders {
  const { mode, expected = [], minimums = {}, maximums = {}, forbidden = [] } = trajectory
  const problem = problemOf(trajectory, negate)
  if (problem !== undefined) return inexpressible(problem)
  const tools = expected.map(({ tool }) => tool)
  const isOrdered = mode === 'in_order' && tools.length > 1
  const entries = [
    ...(isOrdered ? [] : counted(tools).map(([tool, min]) => used(tool, { min }))),
    ...(isOrdered ? tools.slice(1).map((after, index) => inOrder(tools[index] ?? '', after)) : []),
    ...Object.entries(minimums).map(([tool, min]) => used(tool, { min })),
  ]
  const rules = [
    ...Object.entries(maximums).map(([tool, max]) => used(tool, { min: 0, max })),
    ...forbidden.map(tool => used(tool, { min: 0, max: 0 })),
  ]
  const graders = [...entries, ...rules]
  return {
    graders: graders.map(grader => ({ ...grader, share: 1 / graders.length })),
    lost: [
      ...(isOrdered ? ['calls in order after the first ones (there, the first calls of each tool are compared)'] : []),
      ...(rules.length > 0 && graders.length > 1 ? ['that a forbidden call makes the score 0'] : []),
      ...(entries.length > 1 ? ['the score of a part of the calls'] : []),
    ],
  }
}

function problemOf({ mode, expected, ...limits }: Trajectory, negate: boolean): string | undefined {
  if (negate) return 'a negated trajectory'
  if (expected && (mode === 'exact' || mode === 'subset')) return `\`mode: ${mode}\``
  const names = (expected ?? []).map(({ tool }) => tool)
  if (expected?.some(({ args = 'any', max_duration_ms }) => args !== 'any' || max_duration_ms !== undefined))
    return 'arguments and durations of calls'
  if (mode === 'in_order' && new Set(names).size < names.length) return 'the order of several calls of one tool'
  // A minimum of 0 says nothing, and a check without a grader neither.
  const says = names.length > 0 || Object.values(limits).some(limit => limit && Object.keys(limit).length > 0)
  return says && !Object.values(limits.minimums ?? {}).includes(0) ? undefined : 'expected calls that are always found'
}

function counted(tools: readonly string[]): [string, number][] {
  return [...new Set(tools)].map(tool => [tool, tools.filter(each => each === tool).length])
}

function used(tool: string, range: { readonly min: number; readonly max?: number }): PluginGrader {
  return {
    type: 'tool_used',
    label: tool,
    keys: { tool, ...(range.min === 1 && range.max === undefined ? {} : range) },
  }
}

function inOrder(before: string, after: string): PluginGrader {
  return { type: 'tool_order', label: after, keys: { before, after } }
}
