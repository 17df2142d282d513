// Reads a suite and writes its text as evals.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { load } from 'js-yaml'

const [, , path, output] = process.argv
const { name, tests } = load(readFileSync(path, 'utf8'))
const evals = tests.map(({ id, criteria, input, expected_output, assert }, index) => ({
  id: index + 1,
  name: id,
  prompt: input,
  expected_output,
  expectations: [criteria, ...assert.map(({ type, value, criteria: words }) => `${type} ${value ?? words ?? ''}`)],
}))
writeFileSync(output, JSON.stringify({ skill_name: name, evals }, null, 2))
