import { dump } from 'js-yaml'
import type { Evaluator } from '../model/evaluator.ts'
import type { EvalsFile } from '../spec/evals-json.ts'
import { suiteOfEvals, testsOfEvals } from '../spec/test-of-eval.ts'

/** An evals.json as the text of an EVAL.yaml. */
export function evalYaml(evals: EvalsFile, evaluators: Iterable<Evaluator>): string {
  const tests = testsOfEvals(evals, evaluators).map(({ fields }) => fields)
  return dump({ ...suiteOfEvals(evals), tests }, { lineWidth: 120, noRefs: true })
}
