import { parseJson } from '../lib/json/parse-json.ts'
import { isNestedWithin } from '../lib/objects.ts'
import type * as z from '../lib/zod.ts'
import { DEEPEST_RECORD } from '../model/answer-limits.ts'
import type { Host } from '../model/host.ts'
import type { Line } from '../model/host-files.ts'
import { cannotRead, RunError } from './run-error.ts'

/** Reads the records of a file line by line. Calls `damaged` for each line that is not a record. */
export async function* readRecords<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  host: Host,
  damaged: () => void = () => {},
): AsyncGenerator<{ readonly record: z.output<Schema>; readonly line: Line }> {
  for await (const line of linesOf(path, host, damaged)) {
    const record = recordIn(line.text, schema)
    if (record !== undefined) yield { record, line }
    else if (line.text.trim() !== '') damaged()
  }
}

/** The record of a line; undefined if it is not one. */
export function recordIn<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | undefined {
  return recordOf(parseJson(text), schema)
}

/** A JSON value as a record; undefined if it is not one. */
export function recordOf<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> | undefined {
  if (!isNestedWithin(value, DEEPEST_RECORD)) return undefined
  return schema.safeParse(value).data
}

/** A last line without a newline is incomplete: it counts as damaged. */
async function* linesOf(path: string, host: Host, damaged: () => void): AsyncGenerator<Line> {
  try {
    const stat = await host.files.stat(path)
    if (stat && stat.kind !== 'file') throw new RunError(`${path} is not a regular file.`)
    const size = stat?.size ?? 0
    let end = 0
    if (size > 0)
      for await (const line of host.files.readLines(path)) {
        end = line.offset + line.length + 1
        yield line
      }
    if (end < size) damaged()
  } catch (error) {
    cannotRead(path)(error as Error)
  }
}
