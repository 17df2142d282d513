import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { run } from '../../../support/program.ts'
import { endLeftovers, expectNoProcesses, linesOf, processesOf, suiteFolder } from '../../../support/suite-run.ts'
import { ask } from './ask-program.ts'

afterEach(endLeftovers)

const STARTED = "import { appendFileSync } from 'node:fs'\nappendFileSync('started.txt', process.pid + '\\n')\n"
const HANG = 'setTimeout(() => {}, 300_000)\n'

function startsIn(folder: string): number {
  return linesOf(join(folder, 'started.txt')).length
}

describe('the process list of these tests', () => {
  it('finds a leftover process by its environment or arguments', async () => {
    const folder = suiteFolder({ tests: [] }, [])
    const leave = (command: string, env: NodeJS.ProcessEnv) =>
      run('sh', ['-c', `${command} >/dev/null 2>&1 & echo $!`], { cwd: '/', env })
    const { stdout: first } = await leave('sleep 300', { TMPDIR: join(folder, 'tmp') })
    const { stdout: second } = await leave(`tail -f ${folder}/EVAL.yaml`, {})
    const left = (await processesOf(folder)).join('\n')
    if (process.platform === 'linux') expect(left).toContain(first.trim())
    expect(left).toContain(second.trim())
  })
})

describe('a program that hangs', () => {
  it('is killed after the timeout, even if it ignores SIGTERM', async () => {
    const agent = `${STARTED}process.on('SIGTERM', () => {})\n${HANG}`
    const { code, result, folder, stderr } = await ask(
      { command: ['node', 'agent.mjs'], timeout_seconds: 5 },
      { files: { 'agent.mjs': agent } },
    )
    expect(code).toBe(3)
    expect(result).toMatchObject({ verdict: 'error', score: null, answer: null, evaluator_results: [] })
    expect(result.error).toEqual({ code: 'timeout', stage: 'answer', message: 'no answer within 5 s' })
    expect(stderr).toContain('no answer within 5 s')
    expect(startsIn(folder)).toBe(1)
    await expectNoProcesses(folder)
  })

  it('is killed with its children and their children', async () => {
    const child = "trap '' TERM\necho $$ >> started.txt\nsleep 300 &\nsleep 300\n"
    const agent = "trap '' TERM\necho $$ >> started.txt\nsh child.sh &\nsh child.sh &\nsh child.sh\n"
    const { code, result, folder } = await ask(
      { command: ['sh', 'agent.sh'], timeout_seconds: 5 },
      { files: { 'agent.sh': agent, 'child.sh': child } },
    )
    expect(code).toBe(3)
    expect(result.error).toMatchObject({ code: 'timeout', stage: 'answer' })
    expect(startsIn(folder)).toBe(4)
    await expectNoProcesses(folder)
  })

  it('is killed with its children that ignore SIGTERM', async () => {
    const agent = "sh child.sh &\necho $$ >> started.txt\ntrap 'exit 0' TERM\nwait\n"
    const { code, result, folder } = await ask(
      { command: 'sh agent.sh', timeout_seconds: 5 },
      { files: { 'agent.sh': agent, 'child.sh': "trap '' TERM\nsleep 300 &\nsleep 300\n" } },
    )
    expect(code).toBe(3)
    expect(result.error).toMatchObject({ code: 'timeout' })
    expect(startsIn(folder)).toBe(1)
    await expectNoProcesses(folder)
  })

  it('gives no answer if it printed an incomplete line', async () => {
    const { code, result, folder } = await ask({ command: "printf 'half a li'; sleep 300", timeout_seconds: 1 })
    expect(code).toBe(3)
    expect(result).toMatchObject({ answer: null, error: { code: 'timeout', stage: 'answer' } })
    await expectNoProcesses(folder)
  })

  it('may have a shorter timeout in a test', async () => {
    const { result } = await ask(
      { command: ['sleep', '300'], timeout_seconds: 200 },
      { test: { execution: { target: 'case', timeout_seconds: 1 } } },
    )
    expect(result.error?.message).toBe('no answer within 1 s')
  })
})

describe('a program that leaves processes behind', () => {
  it('has answered when it exits, even if one of them holds its stdout', async () => {
    const { code, result, folder } = await ask({ command: 'sleep 300 & echo $! > left.txt; echo done' })
    expect(code).toBe(0)
    expect(result).toMatchObject({ verdict: 'pass', answer: 'done' })
    expect(readFileSync(join(folder, 'left.txt'), 'utf8')).toMatch(/^\d+\n$/)
    await expectNoProcesses(folder)
  })

  it('has answered when it exits, even if a detached one keeps writing', async () => {
    // It stops after a while, so that a run that waits for it ends as well.
    const talker = `${STARTED}const timer = setInterval(() => process.stdout.write('x\\n'), 20)
      setTimeout(() => { clearInterval(timer); appendFileSync('finished.txt', '') }, 20_000)\n`
    const agent = `import { spawn } from 'node:child_process'\nimport { existsSync } from 'node:fs'
      spawn('node', ['talker.mjs'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref()
      while (!existsSync('started.txt')) await new Promise(resolve => setTimeout(resolve, 10))
      console.log('done')\n`
    const { code, result, folder } = await ask(
      { command: ['node', 'agent.mjs'], timeout_seconds: 100 },
      { files: { 'agent.mjs': agent, 'talker.mjs': talker } },
    )
    expect(existsSync(join(folder, 'finished.txt'))).toBe(false)
    expect(result.error).toBeUndefined()
    expect(result.answer).toContain('done')
    expect(code).toBe(0)
  })
})

describe('a program with large streams', () => {
  it('is killed if it exceeds the limit of stdout', async () => {
    const agent = `${STARTED}import { writeSync } from 'node:fs'
      const chunk = 'x'.repeat(1_000_000)
      for (let count = 0; count < 100; count++) writeSync(1, chunk)
      appendFileSync('finished.txt', '')\n${HANG}`
    const { code, result, folder } = await ask({ command: ['node', 'agent.mjs'] }, { files: { 'agent.mjs': agent } })
    expect(code).toBe(3)
    expect(result).toMatchObject({ answer: null, error: { code: 'output-too-large', stage: 'answer' } })
    expect(result.error?.message).toContain('10 MB')
    expect(startsIn(folder)).toBe(1)
    expect(existsSync(join(folder, 'finished.txt'))).toBe(false)
    await expectNoProcesses(folder)
  })

  it('may fill stderr, and its end is in the message', async () => {
    const agent = `process.stderr.write('x'.repeat(20_000_000) + '\\nthe last words\\n', () => process.exit(1))\n`
    const { result } = await ask({ command: ['node', 'agent.mjs'] }, { files: { 'agent.mjs': agent } })
    expect(result.error?.code).toBe('program-failed')
    expect(result.error?.message).toMatch(/the last words$/)
    expect(result.error?.message.length).toBeLessThan(5000)
  })

  it.each([
    ['closes stdin at once', 'exec 0<&-; echo done'],
    ['never reads stdin', 'sleep 1; echo done'],
    ['reads a few bytes', 'head -c 10 > /dev/null; echo done'],
  ])('answers a prompt of 5 MB if it %s', async (_, command) => {
    const { code, result, folder } = await ask({ command }, { test: { input: 'x'.repeat(5_000_000) } })
    expect(code).toBe(0)
    expect(result).toMatchObject({ verdict: 'pass', answer: 'done' })
    await expectNoProcesses(folder)
  })

  it('reads a prompt of 5 MB', async () => {
    const { result } = await ask({ command: 'wc -c | tr -d " "' }, { test: { input: 'é'.repeat(2_500_000) } })
    expect(result.answer).toBe('5000000')
  })
})

describe('a program without an answer', () => {
  const say = 'echo started >> started.txt; echo first >&2; echo "the last words" >&2;'
  it.each([
    ['nothing on stdout', 'exit 0', 'empty-answer', 'no output'],
    ['only whitespace', 'echo; echo " "; exit 0', 'empty-answer', 'no output'],
    ['a nonzero exit code', 'echo an answer; exit 3', 'program-failed', 'exit code 3'],
    ['SIGKILL', 'kill -KILL $$', 'program-failed', 'SIGKILL'],
    ['SIGTERM', 'kill -TERM $$', 'program-failed', 'SIGTERM'],
  ])('%s is an error with the end of stderr, without retry', async (_, end, errorCode, words) => {
    const { code, result, folder, stderr } = await ask({ command: ['sh', '-c', `${say} ${end}`], retries: 3 })
    expect(code).toBe(3)
    expect(result).toMatchObject({ verdict: 'error', answer: null, error: { code: errorCode, stage: 'answer' } })
    expect(result.error?.message).toContain(words)
    expect(result.error?.message).toMatch(/first\nthe last words$/)
    expect(stderr).toContain('the last words')
    expect(startsIn(folder)).toBe(1)
  })

  it.each([
    ['a missing program', { command: ['./no-such-agent'] }, 'no-such-agent'],
    ['a missing folder', { command: ['cat'], cwd: 'no-such-folder' }, 'no-such-folder'],
    ['a missing folder for a shell command', { command: 'cat', cwd: 'no-such-folder' }, 'no-such-folder'],
    ['a folder that is a file', { command: ['cat'], cwd: 'file.txt' }, 'file.txt'],
    ['a file that is not executable', { command: ['./file.txt'] }, 'file.txt'],
    ['a path through a file', { command: ['./file.txt/agent'] }, 'file.txt/agent'],
  ])('is an error for %s', async (_, target, name) => {
    const { code, result } = await ask(target, { files: { 'file.txt': 'no program\n' } })
    expect(result).toMatchObject({ verdict: 'error', error: { code: 'program-missing', stage: 'answer' } })
    expect(result.error?.message).toContain(name)
    expect(code).toBe(3)
  })

  it('is named if the shell does not find it', async () => {
    const { code, result } = await ask({ command: 'no-such-agent --ask' })
    expect(code).toBe(3)
    expect(result.error).toMatchObject({ code: 'program-failed', stage: 'answer' })
    expect(result.error?.message).toMatch(/exit code 127[\s\S]*no-such-agent/)
  })
})
