import type { TargetType } from '../spec/targets.ts'
import { providerOf } from './check-target.ts'
import { checkWithoutVariables } from './check-without-variables.ts'
import type { Files } from './files.ts'
import type { Mistakes } from './mistakes.ts'
import { dropNamedSecrets, namesOfTargets } from './named-secrets.ts'
import { writtenSecrets } from './secrets.ts'
import { checkJudgeTarget } from './target-surroundings.ts'
import { readTargetsFile } from './targets-file.ts'

/** Reports every mistake in a targets file that does not depend on the environment. Nothing of it is run. */
export async function checkTargetsFile(
  file: string,
  types: readonly TargetType[],
  files: Files,
  mistakes: Mistakes,
  secrets: Map<string, string>,
): Promise<void> {
  const targets = (await readTargetsFile(file, files, mistakes))?.targets ?? []
  const names = targets.flatMap(({ name }) => name ?? [])
  for (const target of targets) {
    const { raw, at } = target
    writtenSecrets(raw, secrets)
    const named = providerOf(raw, at, types, mistakes)
    await checkWithoutVariables(raw, named, at, { host: files.host, mistakes })
    checkJudgeTarget(target, names, mistakes)
  }
  const known = [{ targets, variables: () => undefined }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(targets), known, { mistakes, types })
}
