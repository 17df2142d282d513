import { compilePathGlob, type PathGlob } from '../lib/globs/path-glob.ts'
import { atLeastOne } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { quoteCode } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import { CHANGE_STATES, type FileChange } from '../model/changes.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Fact, hitsAndMisses } from './shared/fact.ts'
import { parseChangesSentence, writeChangesSentence } from './shared/workspace/changes-sentence.ts'
import { fileGlob, GLOB_NOTE, globIssues } from './shared/workspace/path-fields.ts'
import { changesOf, describeChange, describeChanges, joinSome } from './shared/workspace/recorded-changes.ts'

const config = () =>
  atLeastOne(
    z.strictObject({
      expected: z
        .array(
          z.strictObject({
            path: fileGlob().describe('Path or glob of the file.'),
            state: z
              .enum([...CHANGE_STATES, 'any'])
              .default('any')
              .describe('What the agent does to it: `created`, `modified`, `deleted`, or `any` of these.'),
          }),
        )
        .min(1)
        .optional()
        .describe('Changes that the agent must make.'),
      allowed: z
        .array(fileGlob())
        .optional()
        .describe('Globs of the files that may change, besides those in `expected`. Default: all.'),
      forbidden: z.array(fileGlob()).min(1).optional().describe('Globs of the files that must not change.'),
      max_files: z.int().min(0).optional().describe('Highest number of changed files.'),
    }),
    'expected',
    'allowed',
    'forbidden',
    'max_files',
  )

export const fileChanges = defineEvaluator({
  type: 'file_changes',
  summary: 'The agent changed the files that it should, and no others.',
  notes: [
    'The score is 0 if a file changed that `forbidden` matches, if a file changed that neither `allowed` nor `expected` matches, or if more files than `max_files` changed. Otherwise it is the share of `expected` that happened, or 1 if nothing is expected. A change is a file that was created, modified or deleted; a renamed file is two changes.',
    'An entry of `expected` happened if at least one change has its path and its state. What it matches, in path and state, is allowed too; `forbidden` wins over both. Without `allowed`, all other files may change; with `allowed: []`, only those in `expected`.',
    `${GLOB_NOTE} In \`allowed\` and \`forbidden\`, a path without wildcards that names a folder matches everything in it.`,
    'The check is graded from the record alone, also when the workspace no longer exists.',
  ],
  config,
  keys: { literal: ['expected', 'allowed', 'forbidden'] },
  examples: [
    {
      title: 'One file is fixed, and the tests stay as they are',
      check: { type: 'file_changes', expected: [{ path: 'src/sum.js', state: 'modified' }], forbidden: ['test/**'] },
    },
    {
      title: 'Work in two folders, at most five files',
      check: { type: 'file_changes', allowed: ['src/**', 'docs/**'], max_files: 5 },
    },
    { title: 'Nothing is changed', check: { type: 'file_changes', max_files: 0 } },
  ],
  needs: () => ({ workspace: true }),
  validate: {
    check: ({ expected = [], allowed = [], forbidden = [] }) =>
      globIssues([
        ...expected.map(({ path }, index) => ({ glob: path, path: ['expected', index, 'path'] })),
        ...allowed.map((glob, index) => ({ glob, path: ['allowed', index] })),
        ...forbidden.map((glob, index) => ({ glob, path: ['forbidden', index] })),
      ]),
  },
  sentences: {
    write: ({ config, negate }) => [writeChangesSentence(config, negate)],
    parse: parseChangesSentence,
  },
  grade: (config, subject) => {
    const changes = changesOf(subject)
    const wanted = (config.expected ?? []).map(entry => ({ ...entry, glob: compilePathGlob(entry.path) }))
    const limits = limitFacts(config, wanted, changes)
    const results = wanted.map(entry => expectedFact(entry, changes))
    const { hits, misses } = hitsAndMisses([...limits, ...results])
    const isBroken = limits.some(({ kept }) => !kept)
    const happened = results.filter(({ kept }) => kept).length
    return { score: isBroken ? 0 : results.length === 0 ? 1 : happened / results.length, hits, misses }
  },
})

export type ChangesConfig = z.output<ReturnType<typeof config>>

interface Wanted {
  readonly path: string
  readonly state: FileChange['state'] | 'any'
  readonly glob: PathGlob
}

function isMeant({ state, glob }: Wanted, change: FileChange): boolean {
  return (state === 'any' || state === change.state) && glob.matches(change.path)
}

function expectedFact(wanted: Wanted, changes: readonly FileChange[]): Fact {
  const made = changes.filter(change => isMeant(wanted, change))
  if (made.length > 0) return { kept: true, text: joinSome(made.map(describeChange)) }
  const other = changes.filter(({ path }) => wanted.glob.matches(path))
  const verb = wanted.state === 'any' ? 'changed' : wanted.state
  return {
    kept: false,
    text: `not ${verb}: ${quoteCode(wanted.path)}; ${describeChanges(other.length > 0 ? other : changes)}`,
  }
}

/** What must not happen, one fact for each offending file. */
function limitFacts(
  { allowed, forbidden, max_files }: ChangesConfig,
  expected: readonly Wanted[],
  changes: readonly FileChange[],
): Fact[] {
  const facts: Fact[] = []
  if (forbidden) facts.push(...forbiddenFacts(forbidden, changes))
  if (allowed) {
    const globs = allowed.map(compilePathGlob)
    const isAllowed = (change: FileChange) =>
      globs.some(glob => glob.covers(change.path)) || expected.some(entry => isMeant(entry, change))
    facts.push(
      ...offences(
        changes.filter(change => !isAllowed(change)),
        () => 'which `allowed` does not match',
        'only allowed files changed',
      ),
    )
  }
  if (max_files !== undefined) {
    const kept = changes.length <= max_files
    const more = kept ? '' : `: ${joinSome(changes.map(describeChange))}`
    facts.push({
      kept,
      text: `${plural(changes.length, 'file')} changed, ${kept ? 'within' : 'above'} ${max_files}${more}`,
    })
  }
  return facts
}

function forbiddenFacts(forbidden: readonly string[], changes: readonly FileChange[]): Fact[] {
  const globs = forbidden.map(written => ({ written, glob: compilePathGlob(written) }))
  const ruleFor = ({ path }: FileChange) => globs.find(({ glob }) => glob.covers(path))?.written
  const broken = changes.filter(change => ruleFor(change) !== undefined)
  return offences(
    broken,
    change => `which \`forbidden\` matches with ${quoteCode(ruleFor(change))}`,
    'no forbidden file changed',
  )
}

const MOST_LISTED = 20

function offences(changes: readonly FileChange[], why: (change: FileChange) => string, otherwise: string): Fact[] {
  if (changes.length === 0) return [{ kept: true, text: otherwise }]
  const left = changes.length - MOST_LISTED
  const facts = changes
    .slice(0, MOST_LISTED)
    .map(change => ({ kept: false, text: `${describeChange(change)}, ${why(change)}` }))
  return left > 0 ? [...facts, { kept: false, text: `and ${left} more` }] : facts
}
