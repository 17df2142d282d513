import type { z } from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import type { Host, Line } from '../model/host.ts'

/** The records of a file, line by line. Lines that are none are counted, and left out. */
export async function* readRecords<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  host: Host,
  damaged: () => void = () => {},
): AsyncGenerator<{ readonly record: z.output<Schema>; readonly line: Line }> {
  if (!(await host.stat(path))) return
  for await (const line of host.readLines(path)) {
    const parsed = schema.safeParse(parseJson(line.text))
    if (parsed.success) yield { record: parsed.data, line }
    else if (line.text.trim() !== '') damaged()
  }
}
