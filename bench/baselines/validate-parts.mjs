// Reads a suite with the libraries that `validate` is made of, without a line of ours: their share of its start.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { load } from 'js-yaml'
import * as z from 'zod'

const check = z.looseObject({ type: z.string(), name: z.string().optional() })
const test = z.looseObject({ id: z.string(), input: z.unknown(), assert: z.array(check) })
const suite = z.looseObject({ name: z.string(), assert: z.array(check), tests: z.array(test) })
const validate = path => {
  const { tests } = suite.parse(load(readFileSync(path, 'utf8')))
  process.stdout.write(`${tests.length} tests\n`)
}
new Command('plain').addCommand(new Command('validate').argument('<path>').action(validate)).parse()
