import { posix } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { exactlyOne, withHints } from '../../lib/schema-rules.ts'
import { singleLine } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import type { Answer } from '../../model/answer.ts'
import type { FileChange } from '../../model/changes.ts'
import type { CheckNeeds, GradeContext, Subject } from '../../model/evaluator.ts'
import { type Grade, Unjudged } from '../../model/grade.ts'
import type { MockCall } from '../../model/mock-call.ts'
import { transcriptText } from './judge-messages.ts'
import { toolCallsOf, transcriptOf } from './trajectories/transcript.ts'
import { contentAt } from './workspace/file-content.ts'
import { workspacePath } from './workspace/path-fields.ts'
import { changesOf } from './workspace/recorded-changes.ts'

const NAMED = ['answer', 'transcript', 'changes', 'files', 'tool_calls', 'mock_calls'] as const

/** The field `subject` of a check: what it looks at. */
export const subjectField = lazily(() => ({
  subject: withHints(
    z
      .union([
        z.enum(NAMED),
        exactlyOne(
          z.strictObject({
            file: workspacePath().optional(),
            mock: z.string().min(1).optional().describe('Name of a mocked server, whose state at the end is meant.'),
          }),
          'file',
          'mock',
        ),
      ])
      .optional()
      .describe(
        'What is looked at: `answer` (default), `transcript`, `changes`, `files` (paths of created files), `tool_calls`, `mock_calls`, `{file: PATH}` or `{mock: NAME}`. See [what a check looks at](../../guide/checks.md).',
      ),
    { value: subjectHint },
  ),
}))

export type CheckSubject = z.output<ReturnType<typeof subjectField>['subject']>

/** For the key `target` of other tools. */
export const SUBJECT_HINTS = {
  keys: { target: 'write what is looked at as `subject`; a target is the agent under test' },
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  last_message: 'answer',
  output: 'answer',
  trace: 'transcript',
  messages: 'transcript',
  created: 'files',
  diff: 'changes',
}

function subjectHint(found: unknown): string | undefined {
  if (typeof found !== 'string') return undefined
  const name = OTHER_NAMES[found]
  if (name !== undefined) return `write \`subject: ${name}\``
  const isPath = /[./]/.test(found)
  return isPath
    ? `write a file as \`subject: {file: ${singleLine(found)}}\``
    : 'write a file as `{file: PATH}`, and the state of a mocked server as `{mock: NAME}`'
}

/** What checks with this subject need besides the answer. */
export function subjectNeeds({ subject = 'answer' }: { readonly subject?: CheckSubject }): CheckNeeds {
  if (typeof subject !== 'string') return subject.mock === undefined ? { workspace: true } : { mocks: subject.mock }
  if (subject === 'changes' || subject === 'files') return { workspace: true }
  return subject === 'mock_calls' ? { mocks: true } : {}
}

const NAMES: Readonly<Record<(typeof NAMED)[number], string>> = {
  answer: 'the answer',
  transcript: 'the transcript',
  changes: 'the list of changes',
  files: 'the list of created files',
  tool_calls: 'the list of tool calls',
  mock_calls: 'the list of mocked calls',
}

/** Names a subject in a message. All names are singular, so that every verb fits. */
export function nameOf(subject: CheckSubject = 'answer', write: (name: string) => string = singleLine): string {
  if (typeof subject === 'string') return NAMES[subject]
  return subject.mock === undefined ? `the file ${write(subject.file ?? '')}` : `the state of ${write(subject.mock)}`
}

/** Whether a check looks at something else than the answer. */
export function isOther(subject: CheckSubject): subject is Exclude<NonNullable<CheckSubject>, 'answer'> {
  return subject !== undefined && subject !== 'answer'
}

/** The state of a mocked server, if that is the subject. */
export function stateOf(subject: CheckSubject, { answer }: Subject): { readonly value: unknown } | undefined {
  if (typeof subject !== 'object' || subject.mock === undefined) return undefined
  if (answer.state && Object.hasOwn(answer.state, subject.mock)) return { value: answer.state[subject.mock] }
  throw new Unjudged('no-mocks', `the attempt has no state of a mocked server \`${singleLine(subject.mock)}\``)
}

/** What a check looks at as text, or why it is not there. */
export type LookedAt =
  | { readonly text: string /** Why the text is incomplete. */; readonly cut?: string | undefined }
  | { readonly absent: string }

/** The text of a subject. Throws `Unjudged` if it is unknown. */
export function lookAt(subject: CheckSubject, of: Subject, context: GradeContext): LookedAt | Promise<LookedAt> {
  if (typeof subject === 'object') {
    const state = stateOf(subject, of)
    return state ? { text: JSON.stringify(state.value) ?? 'null' } : lookAtFile(subject.file ?? '', of, context)
  }
  return TEXTS[subject ?? 'answer'](of)
}

const TEXTS: Readonly<Record<(typeof NAMED)[number], (of: Subject) => LookedAt>> = {
  answer: ({ answer }) => ({ text: answer.text }),
  transcript: ({ answer }) => ({ text: transcriptText({ ...answer, output_messages: [...transcriptOf(answer)] }) }),
  changes: of => changesText(changesOf(of)),
  files: of => ({ text: createdPaths(changesOf(of)).join('\n') }),
  tool_calls: ({ answer }) =>
    lines(toolCallsOf(answer).map(({ tool, input, output, error }) => ({ tool, input, output, error }))),
  mock_calls: ({ answer }) =>
    lines(
      mockCallsOf(answer).map(({ server, tool, input, output, error }) => ({ server, tool, input, output, error })),
    ),
}

function mockCallsOf({ mock_calls }: Answer): readonly MockCall[] {
  if (mock_calls) return mock_calls
  throw new Unjudged('no-mocks', 'the attempt has no mocked servers')
}

/** One line of compact JSON per value. */
function lines(values: readonly object[]): LookedAt {
  return { text: values.map(value => JSON.stringify(value)).join('\n') }
}

function createdPaths(changes: readonly FileChange[]): string[] {
  return changes.flatMap(({ state, path }) => (state === 'created' ? [singleLine(path)] : []))
}

/** A line for each change, then the diffs. */
function changesText(changes: readonly FileChange[]): LookedAt {
  const isCut = ({ diff_cut }: FileChange) => diff_cut === 'file' || diff_cut === 'attempt'
  const diffs = changes.flatMap(change => {
    const { path, diff = '' } = change
    const title = diff.startsWith('--- ') ? [] : [`diff of ${singleLine(path)}`]
    if (diff === '' && !isCut(change)) return []
    return [
      '',
      ...title,
      diff.replace(/\n$/, ''),
      ...(isCut(change) ? [`(the rest of the diff of ${singleLine(path)} is not recorded)`] : []),
    ]
  })
  const cut = changes.filter(isCut).map(({ path }) => singleLine(path))
  return {
    text: [...changes.map(({ state, path }) => `${state} ${singleLine(path)}`), ...diffs].join('\n'),
    cut:
      cut.length === 0
        ? undefined
        : `the diff is not recorded whole: ${cut.slice(0, 5).join(', ')}${cut.length > 5 ? ', …' : ''}`,
  }
}

/** The text of a file at the end. */
async function lookAtFile(path: string, of: Subject, { host }: GradeContext): Promise<LookedAt> {
  const content = await contentAt(posix.normalize(path), of, host)
  const text = 'bytes' in content ? decode(content.bytes) : undefined
  if (text !== undefined) return { text }
  return {
    absent: `the file ${singleLine(path)} ${'bytes' in content ? 'is not text in UTF-8' : content.unreadable}`,
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The grade of a check whose subject does not exist: missed, also if the check is negated. */
export function absentGrade(message: string): Grade {
  return { score: 0, hits: [], misses: [message], absent: true }
}

/** How a check grades a text. */
interface TextGrading {
  /** `name` is undefined for the answer. */
  grade(text: string, name: string | undefined): Grade | Promise<Grade>
  /** Whether what is found in the beginning of a text is also in the whole text. */
  readonly findsParts: boolean
}

/** Grades the text of a subject. An incomplete text is an error, unless what is looked for is found in it. */
export function gradeSubject(
  subject: CheckSubject,
  of: Subject,
  context: GradeContext,
  { grade, findsParts }: TextGrading,
): Grade | Promise<Grade> {
  if (!isOther(subject)) return grade(of.answer.text, undefined)
  const gradeFound = (looked: LookedAt): Grade | Promise<Grade> => {
    if ('absent' in looked) return absentGrade(looked.absent)
    const found = grade(looked.text, nameOf(subject))
    if (looked.cut === undefined) return found
    const { cut } = looked
    return found instanceof Promise
      ? found.then(each => decided(each, cut, findsParts))
      : decided(found, cut, findsParts)
  }
  const looked = lookAt(subject, of, context)
  return looked instanceof Promise ? looked.then(gradeFound) : gradeFound(looked)
}

function decided(grade: Grade, cut: string, findsParts: boolean): Grade {
  if (findsParts && grade.score === 1) return grade
  throw new Unjudged('diff-cut', cut)
}

/** Names the subject in the findings of a grade, which begin with a verb. */
export function withName(grade: Grade, name: string | undefined): Grade {
  if (name === undefined) return grade
  const named = (texts: readonly string[]) => texts.map(text => `${name} ${text}`)
  const { hits, misses, negated_misses } = grade
  return {
    ...grade,
    hits: named(hits),
    misses: named(misses),
    ...(negated_misses ? { negated_misses: named(negated_misses) } : {}),
  }
}
