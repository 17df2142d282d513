import { join } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { answerSchema, NO_ANSWER_CODES } from '../model/answer.ts'
import type { Host } from '../model/host.ts'

const outcomeSchema = lazily(() =>
  z.union([
    z.strictObject({ no_answer: z.strictObject({ code: z.enum(NO_ANSWER_CODES), message: z.string() }) }),
    answerSchema(),
  ]),
)

type Outcome = z.output<ReturnType<typeof outcomeSchema>>

/** Stores answers and failures as files, each named by its cache key. */
export function answerCache(folder: string, toJson: (value: unknown) => string, host: Host) {
  const written = new Set<string>()
  const path = (key: string) => join(folder, key.slice(0, 2), `${key}.json`)
  return {
    async get(key: string): Promise<Outcome | undefined> {
      const bytes = await host.files.read(path(key)).catch(() => undefined)
      // An unreadable file counts as missing.
      return bytes && outcomeSchema().safeParse(parseJson(new TextDecoder().decode(bytes))).data
    },
    async set(key: string, outcome: Outcome): Promise<void> {
      written.add(path(key))
      await host.files.write(path(key), toJson(outcome))
    },
    /** Removes the files that were written: the agent changed meanwhile, so their keys are wrong. */
    async forget(): Promise<void> {
      for (const file of written) await host.files.remove(file).catch(() => {})
    },
  }
}
