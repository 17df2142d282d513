import { join } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../lib/json/parse-json.ts'
import { answerSchema, NO_ANSWER_CODES } from '../model/answer.ts'
import type { Host } from '../model/host.ts'

const outcomeSchema = z.union([
  z.strictObject({ no_answer: z.strictObject({ code: z.enum(NO_ANSWER_CODES), message: z.string() }) }),
  answerSchema,
])

type Outcome = z.output<typeof outcomeSchema>

/** Answers and failures as files, each under the hash of what was asked. */
export function answerCache(folder: string, toJson: (value: unknown) => string, host: Host) {
  const written = new Set<string>()
  const path = (key: string) => join(folder, key.slice(0, 2), `${key}.json`)
  return {
    async get(key: string): Promise<Outcome | undefined> {
      const bytes = await host.files.read(path(key)).catch(() => undefined)
      // One that cannot be read any more is asked for again.
      return bytes && outcomeSchema.safeParse(parseJson(new TextDecoder().decode(bytes))).data
    },
    async set(key: string, outcome: Outcome): Promise<void> {
      written.add(path(key))
      await host.files.write(path(key), toJson(outcome))
    },
    /** Removes what was written: it is not of what its key says. */
    async forget(): Promise<void> {
      for (const file of written) await host.files.remove(file).catch(() => {})
    },
  }
}
