import { dump } from 'js-yaml'
import { evaluators } from '../../src/evaluators/index.ts'
import type { Input } from './fuzzer.ts'
import { HOSTILE, WORDS } from './mutate/dictionary.ts'
import { mutateText } from './mutate/mutate-text.ts'
import { mutateValue, oddValue } from './mutate/mutate-value.ts'
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

const CHECKS = evaluators.flatMap(({ examples }) => examples)

/** Replaces the suite of a seed by one of example checks. */
export function generatedSuite(seeds: readonly Seed[], random: Random): Input {
  const seed = random.pick(seeds)
  const path = random.pick(seed.files.filter(({ form }) => form === 'yaml')).path
  const tests = Array.from({ length: random.few(4) }, (_, nth) => generatedTest(nth, random))
  let suite: unknown = {
    name: 'generated',
    ...(random.chance(0.3) ? { assert: [generatedCheck(random)] } : {}),
    ...(random.chance(0.3) ? { execution: { trials: random.pick([1, 2, 3]), target: 'default' } } : {}),
    ...(random.chance(0.3) ? { metadata: { skill: word(random), tags: [word(random)] } } : {}),
    tests,
  }
  while (random.chance(0.3)) suite = mutateValue(suite, random, [suite])
  const text = random.chance(0.5) ? JSON.stringify(suite) : yamlOf(suite)
  const written = random.chance(0.15) ? mutateText(text, random, [text]) : text
  return { from: seed.name, files: { [path]: new TextEncoder().encode(written) }, salt: random.below(2 ** 31) }
}

function generatedTest(nth: number, random: Random): object {
  const example = random.pick(CHECKS)
  const assert = [example.check, ...Array.from({ length: random.below(3) }, () => generatedCheck(random))]
  return {
    id: random.pick([nth, `t-${nth}`, `${word(random)} ${nth}`]),
    criteria: word(random),
    input: random.pick([word(random), [{ role: 'user', content: word(random) }], 'Hello']),
    ...(example.expected_output === undefined ? {} : { expected_output: example.expected_output }),
    ...(random.chance(0.2) ? { conversation_id: word(random) } : {}),
    ...(random.chance(0.2) ? { tags: [word(random)] } : {}),
    assert: random.chance(0.2)
      ? [{ type: 'composite', evaluators: assert, aggregator: { type: 'weighted_average' } }]
      : assert,
  }
}

/** An example check, sometimes with another value in one field. */
function generatedCheck(random: Random): unknown {
  const { check } = random.pick(CHECKS)
  const more = {
    ...(random.chance(0.2) ? { weight: random.pick([0, 1, 0.5, 3]) } : {}),
    ...(random.chance(0.2) ? { required: random.pick([true, 0.5, false]) } : {}),
    ...(random.chance(0.2) ? { negate: random.chance(0.5) } : {}),
  }
  if (random.chance(0.7)) return { ...check, ...more }
  const key = random.pick(Object.keys(check))
  return { ...check, ...more, [key]: random.chance(0.5) ? word(random) : oddValue(random) }
}

function word(random: Random): string {
  return random.pick([random.pick(WORDS), random.pick(HOSTILE), `Say ${random.pick(HOSTILE)}`, 'x'])
}

function yamlOf(value: unknown): string {
  try {
    return dump(value)
  } catch {
    return JSON.stringify(value)
  }
}
