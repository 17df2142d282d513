import { compilePathGlob } from '../lib/globs/path-glob.ts'
import { regexProblem } from '../lib/patterns.ts'
import { atMostOne } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { CHANGE_STATES } from '../model/changes.ts'
import type { GradeContext, Subject } from '../model/evaluator.ts'
import type { Grade } from '../model/grade.ts'
import type { Issue } from '../model/issue.ts'
import { inexpressible, type PluginGraders } from '../model/plugin-grader.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type CountRange, countField, rangeIssues, rangeOf } from './shared/count-range.ts'
import { schemaIssues, writtenSchema } from './shared/json-schemas/written-schema.ts'
import { patternOf, regexGraders } from './shared/plugin-graders.ts'
import { textValue } from './shared/texts.ts'
import { contentCondition } from './shared/workspace/content-conditions.ts'
import { gradeCount, gradeShare, judgeFiles } from './shared/workspace/file-grades.ts'
import { parseFileSentence, writeFileSentence } from './shared/workspace/file-sentence.ts'
import { type FoundFiles, findChanged, findExisting } from './shared/workspace/find-files.ts'
import { fileGlob, GLOB_NOTE, globIssues } from './shared/workspace/path-fields.ts'

const CONDITIONS = ['contains', 'regex', 'equals', 'equals_file', 'json_schema'] as const

const config = () =>
  atMostOne(
    z.strictObject({
      path: fileGlob().describe('Path or glob of the file, relative to the workspace.'),
      state: z
        .enum([...CHANGE_STATES, 'any', 'absent'])
        .default('any')
        .describe(
          'What the agent did to the file: `created`, `modified` or `deleted`; `any`: it exists at the end; `absent`: it does not.',
        ),
      contains: textValue().optional().describe('Text that the file contains, case-sensitive.'),
      regex: textValue().optional().describe('Regular expression that matches somewhere in the file, without slashes.'),
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'has flags other than `i`, `m`, `s` and `u`')
        .optional()
        .describe('Flags of `regex`: `i`, `m`, `s`, `u`.'),
      equals: z
        .union([z.string(), z.number(), z.boolean()])
        .transform(String)
        .optional()
        .describe('The whole text of the file; a line break at the end is ignored.'),
      equals_file: z
        .string()
        .min(1)
        .optional()
        .describe('Path of a file with the same bytes, relative to the file that contains the check.'),
      json_schema: writtenSchema()
        .optional()
        .describe('JSON Schema of the file, inline or as the path of a JSON file.'),
      count: countField()
        .optional()
        .describe('Number of files that match path, state and content: an exact number, or `{min, max}`.'),
    }),
    ...CONDITIONS,
  )

export type FileConfig = z.output<ReturnType<typeof config>>

export const file = defineEvaluator({
  type: 'file',
  summary:
    'A file of the workspace exists, is absent, or was created, modified or deleted by the agent, with a certain content.',
  notes: [
    'Without `count` and content, the score is 1 if at least one file matches `path` and `state`, otherwise 0. With a content (`contains`, `regex`, `equals`, `equals_file` or `json_schema`), the score is the share of the files that match `path` and `state` whose content is as asked; 0 if no file matches. With `count`, the score is 1 if the number of files that match path, state and content is the given one or within `{min, max}` (both inclusive), otherwise 0. `absent` scores 1 if no file matches at the end, otherwise 0; a path without wildcards that names a folder matches the files in it. `deleted` and `absent` take no content, and `absent` no `count`.',
    GLOB_NOTE,
    '`created`, `modified` and `deleted` compare the workspace before and after the agent, whatever git ignores; what `setup` did does not count. A file that is written with the same content is not modified; a renamed file is deleted and created. Folders are not files. A symbolic link is a file of its own: its content is that of the file it leads to, unless that is outside of the workspace, which is a miss and never read. Pipes and devices have no content either.',
    'Contents are read as UTF-8, with line endings as they are. `equals` ignores a line break at the end of both texts; `equals_file` compares bytes. A file of more than 10 MB is not compared: the check is an error, not a score.',
    'The check is graded from the record as far as it decides: states, the text of created files, and equality of changed files. The contents of other files, and whether an unchanged file exists, need the workspace. When `assay grade` finds that it no longer exists, or that such a file was changed after the agent, the check is an error.',
  ],
  config,
  examples: [
    { title: 'A report was written', check: { type: 'file', path: 'report.md', state: 'created' } },
    {
      title: 'Every module has a licence',
      check: { type: 'file', path: 'src/**/*.js', contains: 'SPDX-License-Identifier' },
    },
    { title: 'No debug output is left', check: { type: 'file', path: 'src/**', regex: 'console\\.log', count: 0 } },
    {
      title: 'A valid configuration',
      check: { type: 'file', path: 'config.json', json_schema: { type: 'object', required: ['port'] } },
    },
    { title: 'Temporary files are removed', check: { type: 'file', path: '{tmp,*.bak}', state: 'absent' } },
  ],
  keys: { verbatim: ['contains', 'regex', 'equals'], literal: ['path', 'equals_file', 'json_schema'] },
  files: ({ equals_file, json_schema }) => [
    ...(equals_file === undefined ? [] : [{ value: equals_file, at: ['equals_file'], need: 'presence' as const }]),
    ...(typeof json_schema === 'string' ? [{ value: json_schema, at: ['json_schema'], need: 'text' as const }] : []),
  ],
  needs: () => ({ workspace: true }),
  plugin: ({ config, negate }) => gradersOf(config, negate),
  validate: {
    check: async (fields, files) => [
      ...globIssues([{ glob: fields.path, path: ['path'] }]),
      ...regexIssues(fields),
      ...unreadFields(fields),
      ...(typeof fields.count === 'object' ? rangeIssues(rangeOf(fields.count), ['count']) : []),
      ...(fields.json_schema === undefined ? [] : await schemaIssues(fields.json_schema, 'json_schema', files)),
    ],
  },
  sentences: {
    write: ({ config, negate }) => [writeFileSentence(config, negate)],
    parse: parseFileSentence,
  },
  grade: async (config, subject, context): Promise<Grade> => {
    const { path, state, count } = config
    const found = await findFiles(config, subject, context)
    if (state === 'absent')
      return gradeCount(await judgeFiles(found, undefined, subject, context), NONE, config, subject)
    const condition = await contentCondition(config, context)
    const judged = await judgeFiles(found, condition, subject, context)
    if (count === undefined && condition) return gradeShare(judged, { path, state }, subject)
    return gradeCount(judged, count === undefined ? AT_LEAST_ONE : rangeOf(count), config, subject)
  },
})

const NONE = { min: 0, max: 0 }
const AT_LEAST_ONE: CountRange = { min: 1 }

function findFiles(
  { path, state }: FileConfig,
  subject: Subject,
  context: GradeContext,
): FoundFiles | Promise<FoundFiles> {
  const glob = compilePathGlob(path)
  // `absent` must not overlook what is in a folder.
  if (state === 'absent') return findExisting(glob, each => glob.covers(each), subject, context)
  return state === 'any' ? findExisting(glob, glob.matches, subject, context) : findChanged(glob, state, subject)
}

/** A created file is a grader of its own; the content of one file is what a regular expression matches. */
function gradersOf({ path, state, count, ...content }: FileConfig, negate: boolean): PluginGraders {
  const { contains, regex, flags } = content
  const pattern = contains === undefined ? regex : patternOf.text(contains)
  const hasContent = Object.values(content).some(value => value !== undefined)
  if (!hasContent && state === 'created') return createdGraders(path, count, negate)
  const isOneFile = !/[*?[\]{}]/.test(path) && count === undefined && state === 'any' && !negate
  if (pattern !== undefined && isOneFile) return regexGraders({ pattern, flags, subject: { file: path } })
  return inexpressible(hasContent ? 'the contents of files other than one' : `\`state: ${state}\``)
}

function createdGraders(path: string, count: FileConfig['count'], negate: boolean): PluginGraders {
  const { min, max } = count === undefined ? AT_LEAST_ONE : rangeOf(count)
  const exists = min === 1 && max === undefined
  if (!exists && max !== 0) return inexpressible('the number of files')
  const literal = path.replace(/\\([{}[\]?])/g, '$1')
  if (/[{}[\]?\\]/.test(path.replace(/\\[{}[\]?]/g, '')) || path.startsWith('./'))
    return inexpressible('globs with other wildcards than `*`')
  return {
    graders: [{ type: 'file_exists', keys: { path: literal, ...(exists !== negate ? {} : { exists: false }) } }],
    lost: [],
  }
}

function regexIssues({ regex, flags }: FileConfig): Issue[] {
  if (flags !== undefined && regex === undefined) {
    const message = '`flags` has no effect without `regex`'
    return [{ code: 'unread-setting', path: ['flags'], part: 'key', message }]
  }
  if (regexProblem('', flags) !== undefined)
    return [{ code: 'bad-regex', path: ['flags'], message: 'a flag is repeated' }]
  const message = regex === undefined ? undefined : regexProblem(regex, flags)
  return message === undefined ? [] : [{ code: 'bad-regex', path: ['regex'], message }]
}

/** Reports what cannot be asked of a file that does not exist. */
function unreadFields(config: FileConfig): Issue[] {
  const { state } = config
  const unread = state === 'absent' ? [...CONDITIONS, 'count' as const] : state === 'deleted' ? CONDITIONS : []
  return unread
    .filter(key => config[key] !== undefined)
    .map(key => {
      const message = `\`${key}\` has no effect with \`state: ${state}\``
      const hint =
        key === 'count' ? 'remove one of them' : 'a file that does not exist has no content: remove one of them'
      return { code: 'unread-setting', path: [key], part: 'key', message, hint }
    })
}
