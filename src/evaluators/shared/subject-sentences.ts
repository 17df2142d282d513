import { NEGATION } from '../../model/check.ts'
import type { CheckInWords, CheckSentences, TestFacts } from '../../model/evaluator.ts'
import { quote, unquote } from './quoting.ts'
import { type CheckSubject, isOther, nameOf } from './subject.ts'

/** The sentences of a check about the answer, for every subject: `Output contains …` is `The file a.ts contains …`. */
export function withSubject<Config>(sentences: CheckSentences<Config>): CheckSentences<Config & WithSubject> {
  const { write, show, parse } = sentences
  const named = (said: readonly string[], { subject }: WithSubject) =>
    isOther(subject) ? said.map(sentence => nameSubject(sentence, subject)) : said
  return {
    ...sentences,
    write: check => named(write(check), check.config),
    ...(show && {
      show: (check: CheckInWords<Config & WithSubject>) => named(show(check), check.config),
    }),
    ...(parse && {
      parse: (sentence: string, test: Pick<TestFacts, 'expected_output'>) => {
        const { said, subject } = readSubject(sentence)
        const fields = parse(said, test)
        return fields && subject ? { ...fields, subject } : fields
      },
    }),
  }
}

interface WithSubject {
  readonly subject?: CheckSubject
}

/** What the sentences of judges leave out: other judges see only the answer. */
export function subjectOmissions({ subject }: WithSubject): string[] {
  return isOther(subject) ? ['what the judge looks at (`subject`)'] : []
}

const ABOUT_OUTPUT = new RegExp(`^(${NEGATION})?Output(?= )`)

/** Replaces `Output`, or puts the subject before a sentence that does not begin with it. */
function nameSubject(sentence: string, subject: CheckSubject): string {
  const name = nameOf(subject, quotePath)
  if (!ABOUT_OUTPUT.test(sentence)) return `In ${name}: ${sentence}`
  return sentence.replace(ABOUT_OUTPUT, (_, negation = '') => `${negation}T${name.slice(1)}`)
}

/** A path or name without quotes if it has only letters, digits and a few marks. */
function quotePath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : quote(path)
}

const NAME = "[\\w./@+-]+|'[^'\\\\]*(?:\\\\.[^'\\\\]*)*'"
const SUBJECT = `he (?:(transcript|list of changes|list of created files|list of tool calls|list of mocked calls)|file (${NAME})|state of (${NAME}))`
const REPLACED = new RegExp(`^(${NEGATION})?T${SUBJECT}(?= )`)
const PREPENDED = new RegExp(`^In t${SUBJECT}: `)

const SUBJECTS: Readonly<Record<string, CheckSubject>> = {
  transcript: 'transcript',
  'list of changes': 'changes',
  'list of created files': 'files',
  'list of tool calls': 'tool_calls',
  'list of mocked calls': 'mock_calls',
}

/** Whether the sentence of a check names calls of tools as what it looks at. */
export function namesCalls(sentence: string): boolean {
  const { subject } = readSubject(sentence)
  return subject === 'transcript' || subject === 'tool_calls' || subject === 'mock_calls'
}

/** Splits a sentence into what it says about the output and the subject that it names instead. */
function readSubject(sentence: string): { readonly said: string; readonly subject?: CheckSubject } {
  const replaced = REPLACED.exec(sentence)
  if (replaced) {
    const [whole, negation = '', ...names] = replaced
    return { said: `${negation}Output${sentence.slice(whole.length)}`, ...subjectIn(names) }
  }
  const prepended = PREPENDED.exec(sentence)
  if (!prepended) return { said: sentence }
  const [whole, ...names] = prepended
  return { said: sentence.slice(whole.length), ...subjectIn(names) }
}

function subjectIn([words, file, mock]: readonly (string | undefined)[]): { readonly subject?: CheckSubject } {
  if (words !== undefined) return { subject: SUBJECTS[words] }
  return { subject: file === undefined ? { mock: readName(mock ?? '') } : { file: readName(file) } }
}

function readName(text: string): string {
  return text.startsWith("'") ? (unquote(text) ?? '') : text
}
