import type { TargetType } from '../spec/targets.ts'
import { checkWrittenTarget, providerOf } from './check-target.ts'
import type { Files } from './files.ts'
import type { Mistakes } from './mistakes.ts'
import { dropNamedSecrets, namesOfTargets } from './named-secrets.ts'
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
  const targets = (await readTargetsFile(file, files, mistakes))?.targets ?? []
  for (const { raw, at } of targets) {
    writtenSecrets(raw, secrets)
    checkWrittenTarget(raw, providerOf(raw, at, types, mistakes), at, mistakes)
  }
  const known = [{ targets, variables: () => undefined }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(targets), known, { mistakes, types })
}
