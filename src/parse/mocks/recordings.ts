import { basename } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { MockRecording } from '../../model/mock.ts'
import { recordedCallSchema } from '../../model/recorded-call.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import { readDocument } from '../yaml/read-document.ts'

/** Reads the recorded calls of a server, `<tool>-<hash>.json`, by tool. */
export async function readRecordings(
  paths: readonly string[],
  { files, diagnostics }: SuiteContext,
): Promise<ReadonlyMap<string, readonly MockRecording[]>> {
  const recordings = new Map<string, MockRecording[]>()
  for (const path of paths) {
    const [, tool] = /^(.+)-[^-]+\.json$/s.exec(basename(path)) ?? []
    const source = await files.read(path)
    if (!source) continue
    if (tool === undefined) {
      const message = `${quoteCode(basename(path))} is not the name of a recorded call`
      diagnostics.add({ code: 'bad-mock', at: source.location(0, 1), message, hint: 'name it `TOOL-HASH.json`' })
      continue
    }
    const document = readDocument(source, diagnostics)
    const recording = document && checkShape(recordedCallSchema(), document.value, document.at, diagnostics)
    if (!recording) continue
    const { input, output, verdict, result, error } = recording
    const known = recordings.get(tool) ?? []
    recordings.set(tool, known)
    known.push({
      input,
      output,
      ...(verdict === 'error' ? { is_error: true } : {}),
      ...withoutNullish({ result, error }),
    })
  }
  return recordings
}
