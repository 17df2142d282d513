import { canonicalType, type EvaluatorLookup } from '../../evaluators/lookup.ts'
import { isMapping } from '../../lib/objects.ts'
import { hasTemplate } from '../../lib/text/template.ts'
import { looksLikeMessages } from '../../model/message.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import {
  type Fill,
  type Filled,
  fillItems,
  fillKeys,
  fillPrompt,
  fillText,
  fillValue,
  type Templates,
} from './templates.ts'

/** Fields of a test or suite with variables filled in, and their node. */
export interface ExpandedFields {
  readonly fields: Fields
  readonly at: SourceNode
}

/** Fills in the variables of a test. Its id, paths, commands, and the names of targets and mocks stay as written. */
export function expandTest(
  fields: Fields,
  at: SourceNode,
  templates: Templates,
  lookup: EvaluatorLookup,
): ExpandedFields {
  const checks = checkFills(lookup)
  return expanded(fillKeys(fields, at, key => TEST_FILLS.get(key) ?? checks.get(key), templates))
}

/** Fills in the variables of an input. */
export function expandInput(input: unknown, at: SourceNode, templates: Templates): Filled {
  return fillMessages(input, at, templates)
}

/** Whether checks of a suite have templates, so that they differ from test to test. */
export function hasTemplatedChecks(fields: Fields): boolean {
  const { execution, ...lists } = fields
  const owners = isMapping(execution) ? [lists, execution] : [lists]
  return owners.some(owner => CHECK_LIST_KEYS.some(key => hasTemplate(JSON.stringify(owner[key]) ?? '')))
}

/** Fills in the variables of the checks of a suite. */
export function expandSuiteChecks(
  fields: Fields,
  at: SourceNode,
  templates: Templates,
  lookup: EvaluatorLookup,
): ExpandedFields {
  const checks = checkFills(lookup)
  return expanded(fillKeys(fields, at, key => checks.get(key), templates))
}

function expanded({ value, at }: Filled): ExpandedFields {
  return { fields: value as Fields, at }
}

/** Made once, as there can be very many tests. */
const CHECK_FILLS = new WeakMap<EvaluatorLookup, ReadonlyMap<string, Fill>>()

/** Lists of checks, beside the other fields and inside of `execution`. */
function checkFills(lookup: EvaluatorLookup): ReadonlyMap<string, Fill> {
  const known = CHECK_FILLS.get(lookup)
  if (known) return known
  const list = listOf((value, at, templates) => fillCheck(value, at, templates))
  const fillCheck: Fill = (value, at, templates) => {
    if (!isMapping(value)) return templates.text(value, at)
    const evaluator = typeof value['type'] === 'string' ? lookup.get(canonicalType(value['type'])) : undefined
    const { literal = NO_KEYS, prompts = NO_KEYS } = evaluator?.keys ?? {}
    const fillOf = (key: string) => {
      if (LITERAL_KEYS.includes(key) || literal.includes(key)) return undefined
      if (prompts.includes(key)) return fillPrompt
      if (TEXT_KEYS.includes(key)) return fillRubrics
      return evaluator?.contains_checks && isListKey(key) ? list : fillValue
    }
    return fillKeys(value, at, fillOf, templates)
  }
  const execution = mappingOf(key => (isListKey(key) ? list : undefined))
  const fills = new Map([...CHECK_LIST_KEYS.map((key): [string, Fill] => [key, list]), ['execution', execution]])
  CHECK_FILLS.set(lookup, fills)
  return fills
}

const NO_KEYS: readonly string[] = []

function isListKey(key: string): boolean {
  return (CHECK_LIST_KEYS as readonly string[]).includes(key)
}

/** Keys of all checks that name something, or say how it counts. */
const LITERAL_KEYS = ['type', 'name', 'weight', 'required', 'negate', 'applies_to', 'target', 'judges', 'subject']

/** Keys whose values are texts, or lists of rubrics. */
const TEXT_KEYS = ['rubrics', 'criteria', 'description']

/** Fills in each item of a list; what is not a list in another way. */
function listOf(fill: Fill, otherwise: Fill = asWritten): Fill {
  return (value, at, templates) =>
    Array.isArray(value) ? fillItems(value, at, fill, templates) : otherwise(value, at, templates)
}

/** Fills in the values of a mapping. What is not a mapping stays as it is. */
function mappingOf(fillOf: (key: string) => Fill | undefined): Fill {
  return (value, at, templates) => (isMapping(value) ? fillKeys(value, at, fillOf, templates) : { value, at })
}

function asWritten(value: unknown, at: SourceNode): Filled {
  return { value, at }
}

/** A text, or rubrics: their texts, but not their ids. */
const fillRubrics: Fill = (value, at, templates) => {
  if (Array.isArray(value)) return fillItems(value, at, fillRubrics, templates)
  if (!isMapping(value)) return templates.text(value, at)
  return fillKeys(value, at, key => (key === 'id' ? undefined : fillRubrics), templates)
}

const FILLS_OF_BLOCKS = new Map<unknown, Fill>([
  ['text', fillText],
  ['json', fillValue],
])

const fillBlock: Fill = (value, at, templates) => {
  const fill = isMapping(value) ? FILLS_OF_BLOCKS.get(value['type']) : undefined
  return mappingOf(key => (key === 'value' ? fill : undefined))(value, at, templates)
}

const fillCall = mappingOf(key => (key === 'input' || key === 'output' ? fillValue : undefined))

const FILLS_OF_MESSAGES = new Map([
  ['content', listOf(fillBlock, fillText)],
  ['tool_calls', listOf(fillCall, fillText)],
])

/** A text, or messages: their texts, JSON blocks, and the arguments and results of tool calls. */
const fillMessages = listOf(
  mappingOf(key => FILLS_OF_MESSAGES.get(key)),
  fillText,
)

/** Messages, or any other value, of which every text is filled in. */
const fillExpectation: Fill = (value, at, templates) =>
  (looksLikeMessages(value) ? fillMessages : fillValue)(value, at, templates)

const TEST_FILLS = new Map<string, Fill>([
  ['input', fillMessages],
  ['expected_output', fillExpectation],
  ['criteria', fillText],
  ['note', fillText],
  ['description', fillText],
  ['metadata', fillValue],
  ['rubrics', fillRubrics],
])
