import type { CommandEntry } from '../command-entry.ts'

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Write a first suite and its targets',
    section: 'Run:',
    load: async context => (await import('./init.ts')).initCommand(context),
  },
  {
    name: 'validate',
    summary: 'Check suites, targets and configuration',
    section: 'Run:',
    load: async context => (await import('./validate.ts')).validateCommand(context),
  },
  {
    name: 'targets',
    summary: 'Check that targets are complete and reachable',
    section: 'Run:',
    load: async context => (await import('./targets.ts')).targetsCommand(context),
  },
  {
    name: 'eval',
    alias: 'run',
    summary: 'Run suites and grade the answers',
    section: 'Run:',
    load: async context => (await import('./eval/index.ts')).evalCommand(context),
  },
  {
    name: 'merge',
    summary: 'Join the shards of a run',
    section: 'Run:',
    load: async context => (await import('./merge.ts')).mergeCommand(context),
  },
  {
    name: 'mock',
    summary: 'Record mocks from a real MCP server',
    section: 'Run:',
    load: async context => (await import('./mock.ts')).mockCommand(context),
  },
  {
    name: 'list',
    summary: 'List suites and their tests',
    section: 'Look:',
    load: async context => (await import('./list.ts')).listCommand(context),
  },
  {
    name: 'status',
    summary: 'Show which tests have a current result',
    section: 'Look:',
    load: async context => (await import('./status.ts')).statusCommand(context),
  },
  {
    name: 'explain',
    summary: 'Explain the verdict of a test',
    section: 'Look:',
    load: async context => (await import('./explain.ts')).explainCommand(context),
  },
  {
    name: 'report',
    summary: 'Write the report of a run',
    section: 'Look:',
    load: async context => (await import('./report.ts')).reportCommand(context),
  },
  {
    name: 'runs',
    summary: 'List, show and remove runs',
    section: 'Look:',
    load: async context => (await import('./runs/index.ts')).runsCommand(context),
  },
  {
    name: 'schema',
    summary: 'Print a JSON Schema for editors and tools',
    section: 'Look:',
    load: async context => (await import('./schema.ts')).schemaCommand(context),
  },
  {
    name: 'compare',
    summary: 'Compare runs or targets',
    section: 'Decide:',
    load: async context => (await import('./compare.ts')).compareCommand(context),
  },
  {
    name: 'baseline',
    summary: 'Save results in git, to compare with later',
    section: 'Decide:',
    load: async context => (await import('./baseline.ts')).baselineCommand(context),
  },
  {
    name: 'grade',
    summary: 'Grade the recorded answers of a run again',
    section: 'Judges:',
    load: async context => (await import('./grade.ts')).gradeCommand(context),
  },
  {
    name: 'transpile',
    summary: 'Convert a suite to evals.json, or back',
    section: 'Skills:',
    load: async context => (await import('./transpile.ts')).transpileCommand(context),
  },
  {
    name: 'skill',
    summary: 'Check skills, and tune their descriptions',
    section: 'Skills:',
    load: async context => (await import('./skill/index.ts')).skillCommand(context),
  },
  {
    name: 'log',
    summary: 'Work with logged conversations in .co/evals',
    section: 'Logs:',
    load: async context => (await import('./log/index.ts')).logCommand(context),
  },
  {
    name: 'worker',
    summary: 'Make attempts of runs in a queue',
    section: 'Machines:',
    load: async context => (await import('./worker.ts')).workerCommand(context),
  },
  {
    name: 'queue',
    summary: 'Show the runs and workers of a queue',
    section: 'Machines:',
    load: async context => (await import('./queue.ts')).queueCommand(context),
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    section: 'Help:',
    load: async context => (await import('./completion.ts')).completionCommand(context, commands),
  },
]
