import { dump } from 'js-yaml'
import type { EvalsFile } from '../spec/evals-json.ts'
import { suiteOfEvals, testsOfEvals } from '../spec/test-of-eval.ts'

type Evaluators = Parameters<typeof testsOfEvals>[1]

/** An evals.json as the text of an EVAL.yaml. */
export function evalYaml(evals: EvalsFile, evaluators: Evaluators): string {
  const tests = testsOfEvals(evals, evaluators).map(({ fields }) => fields)
  return dump({ ...suiteOfEvals(evals), tests }, { lineWidth: 120, noRefs: true })
}
