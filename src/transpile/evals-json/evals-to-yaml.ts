import type { Evaluator } from '../../model/evaluator.ts'
import type { EvalsFile } from '../../spec/evals-json.ts'
import { evalsToSuite, evalsToTests } from '../../spec/evals-to-suite.ts'
import { suiteYaml } from '../suite-yaml.ts'

/** Converts an evals.json into the text of an EVAL.yaml. */
export function evalsToYaml(evals: EvalsFile, evaluators: Iterable<Evaluator>): string {
  const tests = evalsToTests(evals, evaluators).map(({ fields }) => fields)
  return suiteYaml(evalsToSuite(evals), tests)
}
