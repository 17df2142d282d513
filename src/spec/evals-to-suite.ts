import { withoutNullish } from '../lib/objects.ts'
import type { Evaluator, TestFacts } from '../model/evaluator.ts'
import type { Path } from '../model/location.ts'
import type { EvalItem, EvalsFile } from './evals-json.ts'
import { suiteNameOf } from './suite-name.ts'

/** Converts an evals.json into the fields of a suite, without its tests. */
export function evalsToSuite(evals: EvalsFile): Record<string, unknown> {
  const { skill_name: skill, runs_per_query, trigger_threshold } = evals
  return {
    name: suiteNameOf(skill ?? '', 'evals'),
    metadata: withoutNullish({ skill, runs_per_query, trigger_threshold }),
  }
}

/** A test converted from an item of evals.json. */
export interface EvalTest {
  readonly item: EvalItem
  readonly fields: Readonly<Record<string, unknown>>
  /** Path of each check in the item. */
  readonly checks: readonly Path[]
}

/** Converts the items of an evals.json into tests. */
export function evalsToTests({ skill_name, evals }: EvalsFile, evaluators: Iterable<Evaluator>): EvalTest[] {
  const given = new Set(evals.map(({ id, source_id }) => String(source_id ?? id)))
  let next = 1
  const freeId = () => {
    while (given.has(String(next))) next++
    return next++
  }
  return evals.map(item => evalToTest(item, item.source_id ?? item.id ?? freeId(), skill_name, evaluators))
}

function evalToTest(
  item: EvalItem,
  id: string | number,
  skill: string | undefined,
  evaluators: Iterable<Evaluator>,
): EvalTest {
  const { prompt, files = [], expected_output, should_trigger } = item
  const trigger = { type: 'trigger_judge', skill, ...(should_trigger === false ? { should_trigger } : {}) }
  const said = sentencesOf(item)
  const checks = [
    ...(should_trigger === undefined ? [] : [{ check: trigger, at: ['should_trigger'] as Path }]),
    ...said.map(({ sentence, at }) => ({
      check: sentenceToCheck(sentence, { expected_output }, evaluators, INSPECTING),
      at,
    })),
  ]
  // Without statements, the answer is graded by the expected output.
  const criteria = checks.length === 0 ? expected_output : undefined
  return {
    item,
    fields: {
      id,
      ...(criteria === undefined ? {} : { criteria }),
      input: prompt,
      ...(files.length === 0 ? {} : { input_files: files }),
      ...(expected_output === undefined ? {} : { expected_output }),
      ...(checks.length === 0 ? {} : { assert: checks.map(({ check }) => check) }),
    },
    checks: checks.map(({ at }) => at),
  }
}

/** Returns the statements of an item under both keys, without duplicates. */
function sentencesOf({ assertions = [], expectations = [] }: EvalItem): { sentence: string; at: Path }[] {
  const own = assertions.map((sentence, index) => ({ sentence, at: ['assertions', index] as Path }))
  const others = expectations
    .map((sentence, index) => ({ sentence, at: ['expectations', index] as Path }))
    .filter(({ sentence }) => !assertions.includes(sentence))
  return [...own, ...others]
}

type Fields = Record<string, unknown>

/** A sentence may be about files that the agent left: its judge inspects the workspace, if there is one. */
const INSPECTING = { inspect: true }

/** Converts a sentence back into the check that produces it, or into a rubric with these fields. */
export function sentenceToCheck(
  sentence: string,
  test: TestFacts,
  evaluators: Iterable<Evaluator>,
  rubricFields: Fields = {},
): Fields {
  for (const evaluator of evaluators) {
    const fields = evaluator.sentences.parse?.(sentence, test)
    if (fields && readsTheSame(evaluator, fields, sentence)) return { type: evaluator.type, ...fields }
  }
  return { type: 'rubrics', criteria: sentence, ...rubricFields }
}

/** Whether a check with these fields produces exactly this sentence. */
function readsTheSame(evaluator: Evaluator, { negate = false, ...fields }: Fields, sentence: string): boolean {
  if (evaluator.contains_checks) return false
  const config = evaluator.config().safeParse(fields)
  // An evals.json has no mocked servers that a check could look at.
  if (!config.success || evaluator.needs?.(config.data).mocks !== undefined) return false
  const own = { written_name: undefined, description: undefined, negate: negate === true, files: new Map() }
  const check = { evaluator, type: evaluator.type, config: config.data, ...own }
  return evaluator.sentences.write(check).join('; ') === sentence
}
