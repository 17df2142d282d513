import { basename, dirname, extname, join, resolve } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { UserError } from '../../model/user-error.ts'
import { suiteNameOf } from '../../spec/suite-name.ts'
import type { ImportContext, ImportedSuite, ImportFormat } from '../format.ts'
import { Programs } from '../matrix/programs.ts'
import { acceptedTexts, SampleIds, sampleInput, stemOf } from '../sample-tests.ts'
import type { Written } from '../written.ts'
import { CLASSES, type EvalClass, sampleCheck } from './eval-classes.ts'
import { gradingPrompt } from './grading-prompt.ts'

export const openaiEvals: ImportFormat = {
  name: 'openai-evals',
  title: 'a registry or samples of OpenAI Evals',
  isCandidate: name => /\.(?:ya?ml|jsonl)$/i.test(name),
  recognise: ({ document }) => {
    if (!document) return false
    const isSample = (item: unknown) => isMapping(item) && 'input' in item && 'ideal' in item
    if (Array.isArray(document.value)) return document.value.length > 0 && document.value.every(isSample)
    return document.entries().some(([, entry]) => /^evals\./.test(entry.get('class')?.text() ?? ''))
  },
  convert: async ({ document, file }, context) => {
    if (!document) throw new UserError(`${file} is not YAML or JSONL.`)
    if (!Array.isArray(document.value)) return { suites: await convertRegistry(document, context) }
    context.notes.approximated(document.at, 'samples without their registry: taken as those of the class `Includes`')
    const name = basename(file, extname(file))
    return { suites: [convertSamples(name, document, { check: 'includes' }, context)] }
  },
}

/** Every eval of a registry that has samples. */
async function convertRegistry(registry: Written, context: ImportContext): Promise<ImportedSuite[]> {
  const suites: ImportedSuite[] = []
  for (const [name, entry] of registry.entries()) {
    const written = entry.get('class')?.text()
    if (written === undefined) continue
    const suite = await convertEval(name, written, entry, context)
    if (suite) suites.push(suite)
  }
  return suites
}

async function convertEval(
  name: string,
  written: string,
  entry: Written,
  context: ImportContext,
): Promise<ImportedSuite | undefined> {
  const { notes, files } = context
  const kind = CLASSES[written.split(':').at(-1) ?? '']
  const args = entry.get('args')
  const samples = args?.get('samples_jsonl')
  if (kind === undefined || samples?.text() === undefined) {
    notes.leaveTestOut(entry.at, `an eval of the class ${quoteCode(written.split(':').at(-1) ?? written)}`)
    return undefined
  }
  const parsed = await files.parse(samplesPath(samples.text() ?? '', entry.at.file))
  if ('problem' in parsed) {
    notes.leaveTestOut(samples.at, `an eval whose file of samples ${parsed.problem}`)
    return undefined
  }
  if (args?.get('num_few_shot')) notes.leftOut(args.at.child('num_few_shot'), 'examples before each sample', 'key')
  const prompt = kind === 'classify' && args ? await gradingPrompt(args, context) : undefined
  const ignoresCase = args?.get('ignore_case')?.value === true
  return convertSamples(name, parsed, { check: kind, prompt, ignoresCase }, context)
}

/** Samples are in the folder `data` of a registry, beside its folder `evals`. */
function samplesPath(written: string, file: string): string {
  const home = dirname(file)
  return basename(home) === 'evals' ? join(dirname(home), 'data', written) : resolve(home, written)
}

function convertSamples(name: string, samples: Written, kind: EvalClass, context: ImportContext): ImportedSuite {
  const { notes } = context
  const ids = new SampleIds()
  const programs = new Programs()
  const tests = samples.items().flatMap((sample, index) => {
    const mark = notes.mark()
    const input = sampleInput(sample.get('input'))
    const ideal = acceptedTexts(sample.get('ideal'))
    const check = sampleCheck(kind, ideal, sample, { ...context, programs })
    if (input === undefined || !check) {
      notes.leaveTestOut(
        sample.at,
        input === undefined ? 'a sample without an input' : 'a sample without an ideal answer',
      )
      return []
    }
    const counted = notes.countTests(mark)
    const expected = ideal.length === 0 ? {} : { expected_output: ideal[0] }
    return [
      {
        fields: { id: ids.take(sample.get('id'), index + 1), input, ...expected, assert: [check] },
        at: sample.at,
        counted,
      },
    ]
  })
  return {
    stem: stemOf(name),
    suite: { name: suiteNameOf(name, 'imported') },
    tests,
    targets: [],
    programs: programs.files,
  }
}
