import { basename, dirname } from 'node:path'

/** File names of suites, for messages. */
export const SUITE_NAMES = [
  'EVAL.yaml',
  'EVAL.yml',
  '*.eval.yaml',
  '*.eval.yml',
  '*.EVAL.yaml',
  '*.EVAL.yml',
  '*.jsonl with a sidecar',
  'evals.json',
  '*.evals.json',
  'trigger-evals.json',
  '*.trigger-evals.json',
  'eval_queries.json',
  'evals/*/prompt.md',
]

const YAML_SUITE = /^EVAL\.ya?ml$|\.(eval|EVAL)\.ya?ml$/
const EVALS = /^(.+\.)?evals\.json$/
const TRIGGER_SET = /^(.+\.)?trigger-evals\.json$|^(.+\.)?eval_queries\.json$/

/** Whether a file is named like a suite. */
export function isSuiteName(file: string): boolean {
  const name = basename(file)
  return YAML_SUITE.test(name) || EVALS.test(name) || TRIGGER_SET.test(name)
}

/** Whether a file is named like a trigger set: queries that should or should not trigger a skill. */
export function isTriggerSetName(file: string): boolean {
  return TRIGGER_SET.test(basename(file))
}

/** Whether a suite is written in JSON, like those of other tools. */
export function isJsonSuite(file: string): boolean {
  return file.endsWith('.json')
}

const SUITE_ENDING = /(\.(eval|EVAL))?\.(ya?ml|jsonl)$/

/** Removes the extension of a suite: `cases` for `cases.yaml`, `cases.eval.yaml` and `cases.jsonl`. */
export function stemOf(file: string): string {
  return file.replace(SUITE_ENDING, '')
}

/** Extensions of a sidecar, as groups of equivalent spellings. */
const SIDECAR_ENDINGS = [['.yaml'], ['.yml'], ['.eval.yaml', '.EVAL.yaml'], ['.eval.yml', '.EVAL.yml']]

/** Returns the possible paths of the sidecar of a dataset, as groups of equivalent spellings. */
export function sidecarPaths(dataset: string): string[][] {
  return SIDECAR_ENDINGS.map(spellings => spellings.map(ending => `${stemOf(dataset)}${ending}`))
}

export const TARGETS_NAMES = ['targets.yaml', 'targets.yml']

/** Only in `.assay`: a configuration in `.agentv` belongs to another tool. */
export const CONFIG_NAMES = ['config.yaml', 'config.yml']

export const SETTINGS_FOLDERS = ['.assay', '.agentv']

/** Folder of the baselines, in `.assay`. */
export const BASELINES_FOLDER = 'baselines'

export function isTargetsFile(file: string): boolean {
  return TARGETS_NAMES.includes(basename(file))
}

export function isConfigFile(file: string): boolean {
  return CONFIG_NAMES.includes(basename(file)) && basename(dirname(file)) === '.assay'
}

export function isBaselineFile(file: string): boolean {
  const folder = dirname(file)
  return file.endsWith('.json') && basename(folder) === BASELINES_FOLDER && basename(dirname(folder)) === '.assay'
}
