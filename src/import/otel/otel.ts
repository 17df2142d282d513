import { join } from 'node:path'
import { deepEqual, isMapping } from '../../lib/objects.ts'
import { redactApiKeysIn } from '../../lib/redaction/api-keys.ts'
import type { AnswerRecord } from '../../model/answer.ts'
import { requestId } from '../../model/messages/recorded-messages.ts'
import { UserError } from '../../model/user-error.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { findTargetsFile, homeOf } from '../../parse/targets/targets-file.ts'
import type { ImportContext, ImportedSuite, ImportFormat } from '../format.ts'
import type { Written } from '../written.ts'
import { readSpans } from './read-spans.ts'
import { type TraceTest, traceTests } from './trace-tests.ts'

export const otel: ImportFormat = {
  name: 'otel',
  title: 'traces of OpenTelemetry',
  isCandidate: name => /(?:trace|span|otel|otlp)[^/]*\.(?:jsonl?|ndjson)$/i.test(name),
  recognise: ({ document }) => document?.list().some(isRequest) ?? false,
  convert: async ({ file, document }, context) => {
    if (!document)
      throw new UserError(`${file} has no export requests: save traces as OTLP/JSON, one request per line.`)
    return { suites: [tracesSuite(document, await recordingsPath(context), context)] }
  },
}

function isRequest({ value }: Written): boolean {
  return isMapping(value) && (Array.isArray(value['resourceSpans']) || Array.isArray(value['resourceLogs']))
}

/** The folder of the recorded answers, beside the suite. */
const RECORDINGS = 'recordings'

/** The folder of the answers as a target names it: from the folder of the targets file that applies. */
async function recordingsPath({ files, output }: ImportContext): Promise<string> {
  const targets = await findTargetsFile(output, new Files(files.host, new Diagnostics()))
  return files.pathFrom(targets === undefined ? output : homeOf(targets), join(output, RECORDINGS))
}

/** One test per trace, and targets that answer with what was recorded. */
function tracesSuite(document: Written, from: string, { notes }: ImportContext): ImportedSuite {
  const found = traceTests(readSpans(document, notes), notes)
  const written = found.map(({ test }) => test)
  const tests = redactApiKeysIn(written)
  if (!deepEqual(tests, written)) notes.approximated(document.at, 'what looks like an API key is replaced by `[key]`')
  // Trials and targets share a test.
  const firsts = new Set(new Map(tests.toReversed().map(test => [test.id, test])).values())
  const answers = tests.flatMap(answerRecords)
  const names = [...new Set(answers.map(({ target }) => target))]
  const targets = names.map(name => ({
    name: names.length === 1 ? 'recorded' : `recorded-${name}`,
    provider: 'replay',
    from,
    ...(names.length === 1 ? {} : { target: name }),
  }))
  return {
    suite: {
      name: 'traces',
      description: 'Recorded answers of an agent. Add checks: they are graded without asking it.',
      execution: targets.length === 1 ? { target: 'recorded' } : { targets: targets.map(({ name }) => name) },
      assert: [{ name: 'answers', type: 'regex', value: '\\S' }],
    },
    tests: found.flatMap(({ at, counted }, index) => {
      const test = tests[index]
      return test && firsts.has(test) ? [{ fields: testFields(test), at, counted }] : []
    }),
    targets,
    programs:
      tests.length === 0
        ? new Map()
        : new Map([
            [`${RECORDINGS}/answers.jsonl`, answers.map(answer => `${JSON.stringify(answer)}\n`).join('')],
            // Marks the folder as that of a run, of which nothing is graded yet.
            [`${RECORDINGS}/results.jsonl`, ''],
          ]),
  }
}

function testFields({ id, input, tags, metadata }: TraceTest) {
  return {
    id,
    criteria: 'Answers the user.',
    metadata: { ...metadata, ...(tags.length === 0 ? {} : { tags }) },
    input,
  }
}

function answerRecords({ id, input, target, trial, timestamp, answer, metadata }: TraceTest): AnswerRecord[] {
  if (!answer) return []
  const attempt_id = `${metadata['trace_id']}-${metadata['span_id']}`
  return [{ attempt_id, request_id: requestId(input), test_id: id, target, trial, timestamp, answer }]
}
