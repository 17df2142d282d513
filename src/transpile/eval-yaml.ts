import { dump } from 'js-yaml'
import type { EvalsFile } from '../spec/evals-json.ts'
import { suiteOfEvals, testOfEval } from '../spec/test-of-eval.ts'

type Evaluators = Parameters<typeof testOfEval>[3]

/** An evals.json as the text of an EVAL.yaml. */
export function evalYaml(evals: EvalsFile, evaluators: Evaluators): string {
  const tests = evals.evals.map((item, index) => testOfEval(item, index, evals.skill_name, evaluators).fields)
  return dump({ ...suiteOfEvals(evals), tests }, { lineWidth: 120, noRefs: true })
}
