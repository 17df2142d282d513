import { run } from './program.ts'

/** Runs git in a folder and returns its output. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
  return (await run('git', [...identity, ...args], { cwd })).stdout.trim()
}

/** Makes a repository of a folder, on the branch main, with one commit of all files. Returns the commit. */
export async function commitAll(cwd: string, message = 'First'): Promise<string> {
  await git(cwd, 'init', '-q', '-b', 'main')
  await git(cwd, 'add', '-A')
  await git(cwd, 'commit', '-qm', message)
  return git(cwd, 'rev-parse', 'HEAD')
}
