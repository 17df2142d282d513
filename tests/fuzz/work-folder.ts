import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

type Files = Readonly<Record<string, Uint8Array>>

/** Calls `work` with a temporary folder of these files. */
export async function inFolder<Result>(
  files: Files | ((folder: string) => Files),
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-fuzz-')))
  try {
    for (const [path, bytes] of Object.entries(typeof files === 'function' ? files(folder) : files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
