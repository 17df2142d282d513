/** How often a model judges for one grader of plugin evals. */
export const PLUGIN_VOTES = 3

/** A grader of plugin evals: the keys of its file, without its name and weight. */
export interface PluginGrader {
  readonly type: 'regex' | 'tool_used' | 'tool_order' | 'file_exists' | 'llm'
  /** Distinguishes it from the other graders of the check. Default: a number. */
  readonly label?: string
  /** Part of the weight of the check. Default: 1, all of it. */
  readonly share?: number
  readonly keys: Readonly<Record<string, unknown>>
}

/** A check as graders of plugin evals. */
export interface PluginGraders {
  /** Empty if no grader can express the check. */
  readonly graders: readonly PluginGrader[]
  /** What they leave out or do in another way, each in a few words. */
  readonly lost: readonly string[]
}

/** What a check needs to know of its test to become a grader. */
export interface GradedTest {
  readonly criteria?: string | undefined
}

/** For a check that no grader can express. */
export function inexpressible(...why: string[]): PluginGraders {
  return { graders: [], lost: why }
}
