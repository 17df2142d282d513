/** The arms of a suite of plugin evals: the same agent with and without the plugin. */
export const WITH_PLUGIN = 'with-plugin'
export const WITHOUT_PLUGIN = 'without-plugin'

export const CONTROL_ARM_NOTE =
  'With `with-only`, the grader applies only to runs with the plugin, and is not scored beside others. Default: `with-only` for the tool `Skill`, else `both`.'

/** The targets that plugin evals bring. Relative paths start at the folder of the plugin. */
export function armTargets(hasPlugin: boolean): readonly Readonly<Record<string, unknown>>[] {
  const agent = { provider: 'claude_cli', config_dir: 'isolated' }
  const withPlugin = {
    name: WITH_PLUGIN,
    ...agent,
    ...(hasPlugin ? { plugins: ['.'] } : {}),
    workspace: 'empty',
    permission_mode: 'dontAsk',
    max_turns: 10,
  }
  const without = { name: WITHOUT_PLUGIN, extends: WITH_PLUGIN, plugins: [] }
  return [withPlugin, ...(hasPlugin ? [without] : []), { name: 'judge', ...agent, workspace: 'empty' }]
}

/** How plugin evals run unless a case or the command line says otherwise. */
export function armExecution(hasControl: boolean): Readonly<Record<string, unknown>> {
  return {
    targets: [WITH_PLUGIN],
    ...(hasControl ? { control: WITHOUT_PLUGIN } : {}),
    trials: 3,
    timeout_seconds: 300,
    threshold: 1,
  }
}
