import type { Input } from './fuzzer.ts'
import { mutateFile } from './mutate/mutate-file.ts'
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

/** Mutates one or two matching files of a seed, with pieces of other files. */
export function makeCase(seeds: readonly Seed[], matches: (path: string) => boolean, random: Random): Input {
  const seed = random.pick(seeds)
  const candidates = seed.files.filter(({ path }) => matches(path))
  const changed = Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => random.pick(candidates))
  const other = random.pick(seeds)
  const others = [...seed.files, ...other.files].map(({ bytes }) => new TextDecoder().decode(bytes))
  const files = changed.map(({ path, form, bytes }) => [path, mutateFile(bytes, form, random, others)])
  return { from: seed.name, files: Object.fromEntries(files), salt: random.below(2 ** 31) }
}
