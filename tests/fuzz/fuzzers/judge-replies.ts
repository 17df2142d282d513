import { dirname } from 'node:path'
import { evaluators } from '../../../src/evaluators/index.ts'
import { Semaphore } from '../../../src/lib/semaphore.ts'
import type { Test } from '../../../src/model/test.ts'
import { loadFiles } from '../../../src/parse/load-files.ts'
import { gradeAnswer } from '../../../src/run/grade-answer.ts'
import { type Fuzzer, must } from '../fuzzer.ts'
import { mutateText } from '../mutate/mutate-text.ts'
import { mutateValue } from '../mutate/mutate-value.ts'
import { mustBeResults } from '../oracles/use-suite.ts'
import { overlayHost } from '../overlay-host.ts'
import { Random } from '../random.ts'

/** A check of every type that a model judges. */
const SUITE = `name: judged
tests:
  - id: a
    criteria: It is good
    input: Hi
    assert:
      - {type: llm_judge}
      - {type: llm_judge, rubrics: [{id: a, outcome: Greets, required: true}, {id: b, outcome: Names, weight: 2}]}
      - type: rubrics
        rubrics:
          - {id: a2, outcome: Greets}
          - id: b2
            outcome: Is warm
            score_ranges: [{score_range: [0, 4], outcome: Cold}, {score_range: [5, 10], outcome: Warm}]
      - {type: agent_judge, rubrics: [Greets]}
`

const REPLIES: readonly object[] = [
  { score: 0.7, hits: ['a'], misses: ['b'], reasoning: 'so' },
  { score: 1, reasoning: 'so' },
  { items: ['a', 'b'].map(id => ({ id, satisfied: true, reasoning: 'yes' })) },
  {
    items: [
      { id: 'a2', satisfied: false, reasoning: 'no' },
      { id: 'b2', score: 7, reasoning: 'warm' },
    ],
  },
  { items: [{ id: 'rubric-1', satisfied: true, reasoning: '' }] },
]

/** Replies of judge models, with all retries. */
export const judgeReplies: Fuzzer = {
  name: 'judge-replies',
  summary: 'replies of judge models',
  slowness: 2,
  deep: { outcome: 'some judged', share: 0.2 },
  make: random => {
    const texts = Array.from({ length: 4 }, (_, nth) => [`reply-${nth}`, new TextEncoder().encode(reply(random))])
    return { from: 'replies', files: Object.fromEntries(texts), salt: random.below(2 ** 31) }
  },
  run: async ({ files, salt }) => {
    const test = await judgedTest()
    const random = new Random(`replies ${salt}`)
    const ask = async () => ({
      text: new TextDecoder().decode(random.pick(Object.values(files))),
      ...(random.chance(0.1) ? { finish_reason: random.pick(['length', 'stop', '']) } : {}),
    })
    const host = overlayHost('/', {}, salt)
    const subject = { answer: { text: 'Hello' }, test, target: 't', trial: 1, folder: dirname(test.at.file) }
    const context = {
      host,
      abort: new AbortController(),
      semaphore: new Semaphore(4),
      recordedPath: (file: string) => file,
    }
    const results = await gradeAnswer({ test, target: { name: subject.target } }, subject, ask, context)
    mustBeResults(results)
    for (const { score, error } of results)
      must((score === null) === (error !== undefined), () => 'no score and no error')
    return results.some(({ score }) => score !== null) ? 'some judged' : 'none judged'
  },
}

function reply(random: Random): string {
  let value: unknown = random.pick(REPLIES)
  while (random.chance(0.4)) value = mutateValue(value, random, REPLIES)
  const json = JSON.stringify(value) ?? ''
  let text = random.pick([json, json, `\`\`\`json\n${json}\n\`\`\``, `Well: ${json} So be it.`])
  while (random.chance(0.3)) text = mutateText(text, random, [text])
  return text
}

let test: Promise<Test> | undefined

function judgedTest(): Promise<Test> {
  test ??= loadFiles(['/fuzz/EVAL.yaml'], {
    host: overlayHost('/', {}, 0),
    evaluators,
    texts: new Map([['/fuzz/EVAL.yaml', new TextEncoder().encode(SUITE)]]),
  }).then(({ suites, diagnostics }) => {
    const [first] = suites[0]?.tests ?? []
    must(first !== undefined, () => `the suite cannot be loaded: ${JSON.stringify(diagnostics)}`)
    return first
  })
  return test
}
