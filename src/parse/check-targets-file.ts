import type { TargetType } from '../spec/targets.ts'
import { checkWrittenTarget, providerOf } from './check-target.ts'
import type { Files } from './files.ts'
import type { Mistakes } from './mistakes.ts'
import { writtenSecrets } from './secrets.ts'
import { readTargetsFile } from './targets-file.ts'

/** Reports every mistake in a targets file that the file alone shows. */
export async function checkTargetsFile(
  file: string,
  types: readonly TargetType[],
  files: Files,
  mistakes: Mistakes,
  secrets: Map<string, string>,
): Promise<void> {
  for (const { raw, at } of (await readTargetsFile(file, files, mistakes))?.targets ?? []) {
    writtenSecrets(raw, secrets)
    checkWrittenTarget(raw, providerOf(raw, at, types, mistakes), at, mistakes)
  }
}
