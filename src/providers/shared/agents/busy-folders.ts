import type { AskContext } from '../../../model/provider.ts'

/** Who works in a folder at this moment, by its path. */
const busy = new Map<string, number>()

/** Runs an agent in a folder; says so where another one works there at the same time. */
export async function alone<Result>(folder: string, { warn }: AskContext, run: () => Promise<Result>): Promise<Result> {
  const others = busy.get(folder) ?? 0
  if (others > 0)
    warn(`several attempts work in ${folder} at the same time: give the target a \`workspace\`, or \`workers: 1\``)
  busy.set(folder, others + 1)
  try {
    return await run()
  } finally {
    const left = (busy.get(folder) ?? 1) - 1
    if (left > 0) busy.set(folder, left)
    else busy.delete(folder)
  }
}
