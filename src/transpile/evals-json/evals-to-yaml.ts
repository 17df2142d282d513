import { dump } from 'js-yaml'
import type { Evaluator } from '../../model/evaluator.ts'
import type { EvalsFile } from '../../spec/evals-json.ts'
import { evalsToSuite, evalsToTests } from '../../spec/evals-to-suite.ts'

/** Converts an evals.json into the text of an EVAL.yaml. */
export function evalsToYaml(evals: EvalsFile, evaluators: Iterable<Evaluator>): string {
  const tests = evalsToTests(evals, evaluators).map(({ fields }) => fields)
  return dump({ ...evalsToSuite(evals), tests }, { lineWidth: 120, noRefs: true })
}
