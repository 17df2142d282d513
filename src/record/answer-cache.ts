import { join } from 'node:path'
import { parseJson } from '../lib/parse-json.ts'
import { type Answer, answerSchema } from '../model/answer.ts'
import type { Host } from '../model/host.ts'

/** Answers as files, each under the hash of what was asked. */
export function answerCache(folder: string, toJson: (value: unknown) => string, host: Host) {
  const path = (key: string) => join(folder, key.slice(0, 2), `${key}.json`)
  return {
    async get(key: string): Promise<Answer | undefined> {
      const bytes = await host.readBytes(path(key)).catch(() => undefined)
      // One that cannot be read any more is asked for again.
      return bytes && answerSchema.safeParse(parseJson(new TextDecoder().decode(bytes))).data
    },
    set: (key: string, answer: Answer) => host.write(path(key), toJson(answer)),
  }
}
