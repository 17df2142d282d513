import { compilePathGlob } from '../../../lib/globs/path-glob.ts'
import { plural } from '../../../lib/text/format.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { ChangeState } from '../../../model/changes.ts'
import type { GradeContext, Subject } from '../../../model/evaluator.ts'
import { type Grade, Unjudged } from '../../../model/grade.ts'
import { type CountRange, describeRange } from '../count-range.ts'
import type { ContentCondition } from './content-conditions.ts'
import { contentOf } from './file-content.ts'
import type { FoundFile, FoundFiles } from './find-files.ts'
import { changesOf, describeChanges, joinSome, quotePath } from './recorded-changes.ts'
import { workspaceGone } from './workspace-root.ts'

/** The files that a check asks for. */
export interface WantedFiles {
  readonly path: string
  readonly state: ChangeState | 'any' | 'absent'
}

/** Files that satisfy a check, do not, or cannot be judged, each in words. */
export interface JudgedFiles {
  readonly kept: readonly string[]
  readonly failed: readonly string[]
  readonly undecided: readonly Unjudged[]
  /** Whether there may be other files. */
  readonly isPartial: boolean
}

/** Compares the content of each file with a condition. */
export async function judgeFiles(
  { files, isPartial }: FoundFiles,
  condition: ContentCondition | undefined,
  subject: Subject,
  context: GradeContext,
): Promise<JudgedFiles> {
  const kept: string[] = []
  const failed: string[] = []
  const undecided: Unjudged[] = []
  for (const file of files) {
    context.signal.throwIfAborted()
    const name = quotePath(file.path)
    const problem = condition && (await problemOf(file, condition, subject, context).catch(unlessBug))
    if (problem instanceof Unjudged) undecided.push(problem)
    else if (problem !== undefined) failed.push(problem)
    else kept.push(`${name} ${STATES[file.change?.state ?? 'any']}${condition ? ` and ${condition.words}` : ''}`)
  }
  return { kept, failed, undecided, isPartial }
}

const STATES = { created: 'was created', modified: 'was modified', deleted: 'was deleted', any: 'exists' } as const

async function problemOf(
  file: FoundFile,
  condition: ContentCondition,
  subject: Subject,
  { host }: GradeContext,
): Promise<string | undefined> {
  const name = quotePath(file.path)
  const after = file.change?.after
  const hash = after?.link === undefined ? after?.hash : undefined
  const isEqual = hash === undefined ? undefined : condition.hashes?.has(hash)
  if (isEqual) return undefined
  const content = await contentOf(file, subject, host).catch(error => {
    // The hash decides; only the difference is unknown.
    if (isEqual === false && error instanceof Unjudged) return { unreadable: `differs: it is not what ${EXPECTED}` }
    throw error
  })
  return 'unreadable' in content ? `${name} ${content.unreadable}` : condition.problem(content.bytes, name)
}

const EXPECTED = 'the check asks for, and its text is not in the record'

function unlessBug(error: unknown): Unjudged {
  if (error instanceof Unjudged) return error
  throw error
}

/** Grades the share of the files that satisfy a check. */
export function gradeShare(
  { kept, failed, undecided, isPartial }: JudgedFiles,
  wanted: WantedFiles,
  subject: Subject,
): Grade {
  if (undecided[0]) throw undecided[0]
  if (isPartial) throw workspaceGone(UNCHANGED_UNKNOWN)
  const total = kept.length + failed.length
  if (total === 0) return { score: 0, hits: [], misses: [describeNone(wanted, subject)] }
  return { score: kept.length / total, hits: limited(kept), misses: limited(failed) }
}

const UNCHANGED_UNKNOWN = 'it needs the files that the agent did not change'

/** Grades whether the number of files that satisfy a check is in a range, as soon as what is known decides that. */
export function gradeCount(judged: JudgedFiles, range: CountRange, wanted: WantedFiles, subject: Subject): Grade {
  const { kept, failed, undecided, isPartial } = judged
  const least = kept.length
  const most = isPartial ? Number.POSITIVE_INFINITY : least + undecided.length
  const hits = limited(kept)
  const { min, max = Number.POSITIVE_INFINITY } = range
  if (least >= min && most <= max)
    return { score: 1, hits: least > 0 ? hits : [describeZero(failed.length, wanted)], misses: [] }
  if (least <= max && most >= min) throw undecided[0] ?? workspaceGone(UNCHANGED_UNKNOWN)
  if (most === 0 && failed.length === 0) return { score: 0, hits: [], misses: [describeNone(wanted, subject)] }
  const expected = max === 0 ? 'no file' : describeRange(range)
  const miss = `${plural(least, 'file')} found, expected ${expected}${least > 0 ? `: ${joinSome(kept)}` : ''}`
  return { score: 0, hits: [], misses: [miss, ...(least < min ? limited(failed) : [])] }
}

const MOST_LISTED = 20

function limited(texts: readonly string[]): string[] {
  const left = texts.length - MOST_LISTED
  return left > 0 ? [...texts.slice(0, MOST_LISTED), `and ${left} more`] : [...texts]
}

/** Describes that no file is as asked; `others` match the path, but not the content. */
function describeZero(others: number, wanted: WantedFiles): string {
  const content = others === 0 ? '' : ` with that content (${plural(others, 'file')} without it)`
  return `no file ${describeWanted(wanted)}${content}`
}

function describeWanted({ path, state }: WantedFiles): string {
  const changed = state === 'any' || state === 'absent' ? '' : ` and ${STATES[state]}`
  return `matches ${quoteCode(path)}${changed}`
}

/** Describes that no file matches, and what was found instead. */
function describeNone(wanted: WantedFiles, subject: Subject): string {
  const { matches } = compilePathGlob(wanted.path)
  const changes = changesOf(subject)
  const others = changes.filter(({ path }) => matches(path))
  const instead = others.map(({ path, state }) => `${quotePath(path)} ${STATES[state]}`)
  return `no file ${describeWanted(wanted)}; ${others.length > 0 ? joinSome(instead) : describeChanges(changes)}`
}
