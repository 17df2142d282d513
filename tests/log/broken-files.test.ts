import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { logCommand } from '../support/logs/log-command.ts'
import { logsWith, runOf } from '../support/logs/log-files.ts'

const BOMB = Array.from({ length: 30 }, (_, level) => {
  const parts =
    level === 0
      ? 'lol'
      : Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')
  return `a${level}: &a${level} [${parts}]`
}).join('\n')

describe('a file that is not valid YAML', () => {
  const cases: [what: string, content: string | Uint8Array, why: string][] = [
    ['bad YAML', 'turns: [{input: hi}\nname: "', ''],
    ['half a file', 'turns:\n- input: hi\n  output: "Hello', ''],
    ['a NUL', 'turns:\n- input: hi\0', ''],
    ['bad UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]), 'it is not UTF-8'],
    ['several documents', 'turns:\n- input: hi\n---\nturns:\n- input: hi\n', 'it has several documents'],
    ['an alias bomb', `${BOMB}\nturns:\n- input: hi\n`, 'its aliases make it too large'],
    ['an alias of nothing', 'turns:\n- input: *hi\n', ''],
    ['an alias of what it is in', 'turns: &t\n- input: hi\n  more: *t\n', 'unknown alias *t'],
    ['a long chain of aliases', `${chain(3000)}\nturns:\n- input: hi\n`, 'its aliases make it too large'],
    ['depth 20,000', `x: ${'['.repeat(20_000)}${']'.repeat(20_000)}\nturns:\n- input: hi\n`, ''],
  ]

  function chain(length: number): string {
    return Array.from({ length }, (_, index) => `a${index}: &a${index} [${index ? `*a${index - 1}` : ''}]`).join('\n')
  }

  it.each(cases)('%s: is renamed and reported, and no run number is used twice', async (_, content, why) => {
    const logs = logsWith({ 'hi.yaml': content, 'hi/run_7.yaml': 'mine', 'hi/run_2.yml': 'mine too' })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 8 })
    expect(logs.warnings).toHaveLength(1)
    expect(logs.warnings[0]).toContain(`${join(logs.path, 'hi.yaml')} cannot be read (${why}`)
    expect(logs.warnings[0]).toMatch(/renamed to hi\.yaml\.corrupt-1$/)
    expect(readFileSync(join(logs.path, 'hi.yaml.corrupt-1'))).toEqual(Buffer.from(content))
    expect(logs.yaml('hi')).toMatchObject({ runs: 8, turns: [{ input: 'hi', run: 8, history: [] }] })
    expect(logs.names('hi')).toEqual(['run_2.yml', 'run_7.yaml', 'run_8.yaml'])
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi', run: 9 })
    expect(logs.warnings).toHaveLength(1)
  })

  it('gets the next free number for its new name', async () => {
    const logs = logsWith({ 'hi.yaml': '{', 'hi.yaml.corrupt-1': 'first', 'hi.yaml.corrupt-3': 'third' })
    await logs.add(runOf('hi'))
    expect(logs.warnings).toEqual([expect.stringContaining('renamed to hi.yaml.corrupt-2')])
    const renamed = logs.names().filter(name => name.includes('corrupt'))
    expect(renamed.map(name => logs.text(name))).toEqual(['first', '{', 'third'])
  })

  it('does not affect a valid log of the same conversation', async () => {
    const logs = logsWith({ 'hi.yaml': '{', 'hi_2.yaml': 'turns:\n- input: hi\n  run: 3\n' })
    expect(await logs.add(runOf('hi'))).toEqual({ name: 'hi_2', run: 4 })
    expect([logs.text('hi.yaml'), logs.warnings]).toEqual(['{', []])
  })

  it('is reported by name', async () => {
    const logs = logsWith({ 'hi.yaml': '- a\n---\n- b\n', 'good.yaml': 'turns:\n- input: good\n' })
    const message = /^\S*hi\.yaml cannot be read: it has several documents\n$/
    const show = await logCommand(logs.path, 'show', 'hi')
    expect(show).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
    const listed = await logCommand(logs.path, 'list')
    expect(listed).toEqual({ code: 2, stdout: expect.stringMatching(/^good /), stderr: expect.stringMatching(message) })
    expect(logs.names()).toEqual(['good.yaml', 'hi.yaml'])
  })
})
