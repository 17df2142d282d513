import { basename, dirname, join } from 'node:path'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'

/** What the placeholders of the prompt of a classification are here. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  input: '{{input}}',
  completion: '{{answer}}',
  completion1: '{{answer}}',
  ideal: '{{expected_output}}',
}

/** The prompt of a model-graded eval, with the score of each of its choices; undefined, with a note, if it has none. */
export async function gradingPrompt(args: Written, context: ImportContext): Promise<string | undefined> {
  const name = args.get('modelgraded_spec')
  const spec = name ? await readSpec(name, context) : args
  const prompt = spec?.get('prompt')?.text()
  if (prompt === undefined) {
    context.notes.leftOut((name ?? args).at, 'the prompt of a model-graded eval: the prompt of Assay is used')
    return undefined
  }
  const text = prompt.replace(/\{(\w+)\}/g, (_, key: string) => PLACEHOLDERS[key] ?? '')
  return `${text.trim()}\n${choices(spec)}`
}

/** Specifications are in the folder `modelgraded` of a registry, beside its folder `evals`. */
async function readSpec(written: Written, { files }: ImportContext): Promise<Written | undefined> {
  const name = written.text() ?? ''
  const home = dirname(written.at.file)
  if (!/^[\w-]+$/.test(name) || basename(home) !== 'evals') return undefined
  const parsed = await files.parse(join(dirname(home), 'modelgraded', `${name}.yaml`))
  return 'problem' in parsed ? undefined : parsed.get(name)
}

/** What each choice counts, in words: the judge gives the score itself. */
function choices(spec: Written | undefined): string {
  const scores = spec?.get('choice_scores')?.entries() ?? []
  if (scores.length === 0) return '\nGive a score of 1 if the answer is right, and of 0 if it is wrong.\n'
  const lines = scores.map(([choice, score]) => `- ${choice}: ${String(score.value)}`)
  return `\nDecide which option applies, and give its score:\n${lines.join('\n')}\n`
}
