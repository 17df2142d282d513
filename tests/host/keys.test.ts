import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itWithTerminal, runOnTerminal } from '../support/external/terminal.ts'
import { folderWith, run } from '../support/program.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A program that has a terminal. */
function programWith(body: string): string[] {
  const text = `import { nodeSignals, nodeTerminal } from ${JSON.stringify(join(ROOT, 'src/host/terminal.ts'))}
${body}`
  return [process.execPath, '--import', 'tsx', join(folderWith({ 'keys.mts': text }), 'keys.mts')]
}

/** Prints each key until `q`. */
const PRINT_KEYS = `
const restore = nodeTerminal.keys(key => {
  console.log('<' + key + '>')
  if (key === 'q') restore()
})
console.log('ready')`

function type(body: string, ...keys: string[]) {
  const steps = keys.map((send, index) => ({ expect: index === 0 ? 'ready' : '>', send }))
  return runOnTerminal({ command: programWith(body), cwd: ROOT, steps })
}

describe('the keys of a terminal', () => {
  itWithTerminal('are named, until the terminal is given back and the process ends', async () => {
    const typed = ['a', 'A', '?', '\r', ' ', '\u001b[A', '\u0004', 'ä', '\u001bx', 'q']
    const { output, ...end } = await type(PRINT_KEYS, ...typed)
    expect(end).toEqual({ code: 0, isRestored: true, problem: null })
    const names = ['a', 'a', '?', 'return', 'space', 'up', 'ctrl+d', 'ä', 'alt+x', 'q']
    expect(output).toBe(`ready\n${names.map(name => `<${name}>\n`).join('')}`)
  })

  itWithTerminal('arrive one by one where they are typed at once', async () => {
    const { output } = await type(PRINT_KEYS, 'fa\u001b[Bq')
    expect(output).toBe('ready\n<f>\n<a>\n<down>\n<q>\n')
  })

  itWithTerminal('can be listened to again', async () => {
    const { output, ...end } = await type(
      `
      let restore = nodeTerminal.keys(key => {
        restore()
        restore = nodeTerminal.keys(key => {
          console.log('<again ' + key + '>')
          restore()
        })
        // A key that is typed before would be echoed.
        console.log('<' + key + '>')
      })
      console.log('ready')`,
      'a',
      'b',
    )
    expect(output).toBe('ready\n<a>\n<again b>\n')
    expect(end).toEqual({ code: 0, isRestored: true, problem: null })
  })

  itWithTerminal('include no Ctrl-C, which reaches the listeners of signals', async () => {
    const { output, ...end } = await type(
      `
      const restore = nodeTerminal.keys(key => console.log('<' + key + '>'))
      let count = 0
      nodeSignals.listen(signal => {
        console.log('signal ' + signal + '>')
        if (++count === 2) nodeSignals.exit(130)
      })
      console.log('ready')`,
      '\u0003',
      '\u001c',
    )
    expect(output).toBe('ready\nsignal SIGINT>\nsignal SIGQUIT>\n')
    expect(end).toEqual({ code: 130, isRestored: true, problem: null })
  })

  itWithTerminal('end the process with Ctrl-C if no signal is listened to', async () => {
    const end = await type(PRINT_KEYS, '\u0003')
    expect(end).toEqual({ code: -constants.signals.SIGINT, output: 'ready\n', isRestored: true, problem: null })
  })

  it('are not read from a stdin that is not a terminal', async () => {
    const [node = '', ...args] = programWith(PRINT_KEYS)
    expect(await run(node, args, { cwd: ROOT, input: 'aq' })).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
  })
})
