import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const PROGRAM = join(import.meta.dirname, '../../dist/assay.cjs')

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built program as a user would. */
export function assay(
  args: readonly string[],
  options: { cwd: string; input?: string; env?: NodeJS.ProcessEnv },
): Promise<Result> {
  return run(process.execPath, [PROGRAM, ...args], options)
}

/** Runs the built program as an unprivileged user if the tests run as root. */
export function assayUnprivileged(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Result> {
  const script = `if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    import('node:url').then(({ pathToFileURL }) => import(pathToFileURL(process.argv[1]).href))`
  return run(process.execPath, ['-e', script, PROGRAM, ...args], options)
}

export function run(
  command: string,
  args: readonly string[],
  { cwd, input = '', env = {} }: { cwd: string; input?: string; env?: NodeJS.ProcessEnv },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const { FORCE_COLOR, NO_COLOR, ...clean } = process.env
    const child = spawn(command, args, { cwd, env: { ...clean, ...env } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
  })
}

/** Writes files to a folder, by default a new temporary one outside any repository. */
export function folderWith(
  files: Record<string, string | Uint8Array> = {},
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-test-'))),
): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}
