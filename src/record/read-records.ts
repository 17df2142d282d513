import type * as z from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import type { Host, Line } from '../model/host.ts'
import { cannotRead } from './no-run.ts'

/** The records of a file, line by line. Lines that are none are counted, and left out. */
export async function* readRecords<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  host: Host,
  damaged: () => void = () => {},
): AsyncGenerator<{ readonly record: z.output<Schema>; readonly line: Line }> {
  for await (const line of linesOf(path, host)) {
    const parsed = schema.safeParse(parseJson(line.text))
    if (parsed.success) yield { record: parsed.data, line }
    else if (line.text.trim() !== '') damaged()
  }
}

async function* linesOf(path: string, host: Host): AsyncGenerator<Line> {
  try {
    if (await host.stat(path)) yield* host.readLines(path)
  } catch (error) {
    cannotRead(path)(error as Error)
  }
}
