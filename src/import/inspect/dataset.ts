import { basename, extname } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping, withoutNullish } from '../../lib/objects.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { ImportContext, ImportedSuite, ImportedTest } from '../format.ts'
import { acceptedTexts, SampleIds, sampleInput } from '../sample-tests.ts'
import type { Written } from '../written.ts'

/** Whether a list has samples with an input and a target. */
export function isDataset(document: Written | undefined): boolean {
  const { value } = document ?? {}
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(item => isMapping(item) && 'input' in item && 'target' in item)
  )
}

/** Converts a dataset. The scorer is in the code of a task, so the target is looked for in the answer. */
export function convertDataset(document: Written, file: string, context: ImportContext): ImportedSuite {
  const { notes } = context
  notes.approximated(document.at, 'a dataset has no scorer: an answer passes if it contains the target, ignoring case')
  const ids = new SampleIds()
  const tests = document.items().flatMap((sample, index): ImportedTest[] => {
    const mark = notes.mark()
    const fields = convertSample(sample)
    if (!fields) {
      notes.leaveTestOut(sample.at, 'a sample without a text as its input and its target')
      return []
    }
    const counted = notes.countTests(mark)
    return [{ fields: { id: ids.take(sample.get('id'), index + 1), ...fields }, at: sample.at, counted }]
  })
  const name = basename(file, extname(file))
  return { suite: { name: suiteNameOf(name, 'imported') }, tests, targets: [], programs: new Map() }
}

function convertSample(sample: Written) {
  const input = sampleInput(sample.get('input'))
  const target = acceptedTexts(sample.get('target')).filter(text => text.trim() !== '')
  const choices = choicesOf(sample)
  if (input === undefined || target.length === 0) return undefined
  if (choices.length > 0 && typeof input !== 'string') return undefined
  const metadata = sample.get('metadata')
  return withoutNullish({
    input: choices.length === 0 ? input : withChoices(String(input), choices),
    expected_output: target[0],
    assert: [
      choices.length === 0 ? { type: 'icontains_any', value: target } : { type: 'regex', value: letters(target) },
    ],
    metadata: metadata?.isMapping() ? metadata.value : undefined,
  })
}

/** In a table, choices are a list in JSON or texts with commas between them. */
function choicesOf(sample: Written): string[] {
  const choices = sample.get('choices')
  const text = typeof choices?.value === 'string' ? choices.value.trim() : undefined
  if (text === undefined) return acceptedTexts(choices)
  const parsed = parseJson(text)
  return Array.isArray(parsed) ? parsed.map(String) : text.split(',').flatMap(part => part.trim() || [])
}

function withChoices(input: string, choices: readonly string[]): string {
  const lines = choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${choice}`)
  return `${input}\n\n${lines.join('\n')}\n\nEnd with a line that has only "ANSWER: " and the letter.`
}

/** The answer ends with the letter of the target. */
function letters(target: readonly string[]): string {
  const wanted = target.map(text => text.replace(/[^A-Za-z0-9]/g, '')).join('|')
  return `ANSWER:\\s*\\(?(?:${wanted})\\)?\\s*$`
}
