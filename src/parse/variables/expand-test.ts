import { canonicalType, type EvaluatorLookup } from '../../evaluators/lookup.ts'
import { isMapping } from '../../lib/objects.ts'
import { hasTemplate } from '../../lib/text/template.ts'
import { looksLikeMessages } from '../../model/message.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { type Fill, type Filled, fillItems, fillKeys, type Templates } from './templates.ts'

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
  const fills = new Map<string, Fill>([
    ['input', messages(templates)],
    ['expected_output', expectation(templates)],
    ['criteria', templates.text],
    ['note', templates.text],
    ['description', templates.text],
    ['metadata', templates.value],
    ['rubrics', rubrics(templates)],
    ...checkFills(templates, lookup),
  ])
  return expanded(fillKeys(fields, at, key => fills.get(key)))
}

/** Fills in the variables of an input. */
export function expandInput(input: unknown, at: SourceNode, templates: Templates): Filled {
  return messages(templates)(input, at)
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
  const fills = checkFills(templates, lookup)
  return expanded(fillKeys(fields, at, key => fills.get(key)))
}

function expanded({ value, at }: Filled): ExpandedFields {
  return { fields: value as Fields, at }
}

/** Lists of checks, beside the other fields and inside of `execution`. */
function checkFills(templates: Templates, lookup: EvaluatorLookup): Map<string, Fill> {
  const list: Fill = (value, at) => (Array.isArray(value) ? fillItems(value, at, check) : { value, at })
  const check: Fill = (value, at) => {
    if (!isMapping(value)) return templates.text(value, at)
    const evaluator = typeof value['type'] === 'string' ? lookup.get(canonicalType(value['type'])) : undefined
    const { literal = [], prompts = [] } = evaluator?.keys ?? {}
    return fillKeys(value, at, key => {
      if (LITERAL_KEYS.includes(key) || literal.includes(key)) return undefined
      if (prompts.includes(key)) return templates.prompt
      if (TEXT_KEYS.includes(key)) return rubrics(templates)
      return evaluator?.contains_checks && isListKey(key) ? list : templates.value
    })
  }
  const execution: Fill = (value, at) =>
    isMapping(value) ? fillKeys(value, at, key => (isListKey(key) ? list : undefined)) : { value, at }
  return new Map([...CHECK_LIST_KEYS.map((key): [string, Fill] => [key, list]), ['execution', execution]])
}

function isListKey(key: string): boolean {
  return (CHECK_LIST_KEYS as readonly string[]).includes(key)
}

/** Keys of all checks that name something, or say how it counts. */
const LITERAL_KEYS = ['type', 'name', 'weight', 'required', 'negate', 'applies_to', 'target', 'judges', 'subject']

/** Keys whose values are texts, or lists of rubrics. */
const TEXT_KEYS = ['rubrics', 'criteria', 'description']

/** A text, or rubrics: their texts, but not their ids. */
function rubrics(templates: Templates): Fill {
  const fill: Fill = (value, at) => {
    if (Array.isArray(value)) return fillItems(value, at, fill)
    return isMapping(value) ? fillKeys(value, at, key => (key === 'id' ? undefined : fill)) : templates.text(value, at)
  }
  return fill
}

/** Messages, or any other value, of which every text is filled in. */
function expectation(templates: Templates): Fill {
  const fillMessages = messages(templates)
  return (value, at) => (looksLikeMessages(value) ? fillMessages : templates.value)(value, at)
}

/** A text, or messages: their texts, JSON blocks, and the arguments and results of tool calls. */
function messages(templates: Templates): Fill {
  const fillsOfBlocks = new Map<unknown, Fill>([
    ['text', templates.text],
    ['json', templates.value],
  ])
  const block: Fill = (value, at) => {
    const fill = isMapping(value) ? fillsOfBlocks.get(value['type']) : undefined
    return fill ? fillKeys(value as Fields, at, key => (key === 'value' ? fill : undefined)) : { value, at }
  }
  const call: Fill = (value, at) =>
    isMapping(value)
      ? fillKeys(value, at, key => (key === 'input' || key === 'output' ? templates.value : undefined))
      : { value, at }
  const listOf =
    (fill: Fill): Fill =>
    (value, at) =>
      Array.isArray(value) ? fillItems(value, at, fill) : templates.text(value, at)
  const message: Fill = (value, at) => {
    const fills = new Map([
      ['content', listOf(block)],
      ['tool_calls', listOf(call)],
    ])
    return isMapping(value) ? fillKeys(value, at, key => fills.get(key)) : { value, at }
  }
  return listOf(message)
}
