import { basename } from 'node:path'

/** Names under which a suite is found in a folder, as messages list them. */
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
]

const YAML_SUITE = /^EVAL\.ya?ml$|\.(eval|EVAL)\.ya?ml$/
const EVALS = /^(.+\.)?evals\.json$/
const TRIGGER_SET = /^(.+\.)?trigger-evals\.json$|^eval_queries\.json$/

/** Whether a file has the name of a suite. */
export function isSuiteName(file: string): boolean {
  const name = basename(file)
  return YAML_SUITE.test(name) || EVALS.test(name) || TRIGGER_SET.test(name)
}

/** Whether a file has the name of a trigger set: queries that should use a skill, or should not. */
export function isTriggerSetName(file: string): boolean {
  return TRIGGER_SET.test(basename(file))
}

/** Whether a suite is written in JSON, as other tools do, and not as EVAL.yaml. */
export function isJsonSuite(file: string): boolean {
  return file.endsWith('.json')
}

const SUITE_ENDING = /(\.(eval|EVAL))?\.(ya?ml|jsonl)$/

/** `cases` for `cases.yaml`, `cases.eval.yaml` and `cases.jsonl`, with its folder. */
export function stemOf(file: string): string {
  return file.replace(SUITE_ENDING, '')
}

/** Endings of a sidecar, each a list of spellings of one name. */
const SIDECAR_ENDINGS = [['.yaml'], ['.yml'], ['.eval.yaml', '.EVAL.yaml'], ['.eval.yml', '.EVAL.yml']]

/** The paths at which the sidecar of a dataset may be, each as a list of spellings. */
export function sidecarPaths(dataset: string): string[][] {
  return SIDECAR_ENDINGS.map(spellings => spellings.map(ending => `${stemOf(dataset)}${ending}`))
}
