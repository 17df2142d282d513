import type { Input } from './fuzzer.ts'
import { mutateFile } from './mutate/mutate-file.ts'
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

/** A case in which one file, sometimes two, is changed: those that are wanted, with pieces of all others. */
export function makeCase(seeds: readonly Seed[], isWanted: (path: string) => boolean, random: Random): Input {
  const seed = random.pick(seeds)
  const wanted = seed.files.filter(({ path }) => isWanted(path))
  const changed = Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => random.pick(wanted))
  const other = random.pick(seeds)
  const others = [...seed.files, ...other.files].map(({ bytes }) => new TextDecoder().decode(bytes))
  const files = changed.map(({ path, form, bytes }) => [path, mutateFile(bytes, form, random, others)])
  return { from: seed.name, files: Object.fromEntries(files), salt: random.below(2 ** 31) }
}
