import { run } from './program.ts'

/** Runs a Python program that prints one JSON value. What is said in it may be anything: it is printed in ASCII. */
export async function readPython<Value>(program: string, input: string, cwd: string): Promise<Value> {
  const { code, stdout, stderr } = await run('python3', ['-c', program], { cwd, input, env: { PYTHONUTF8: '1' } })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
