import { describe, expect, it } from 'vitest'
import { RedrawnFrame } from '../../src/cli/terminal/redrawn-frame.ts'

function frameOn(size: { columns: number; rows: number }) {
  const written: string[] = []
  const frame = new RedrawnFrame({
    write: text => void written.push(text.replaceAll('\u001b', '^')),
    columns: () => size.columns,
    rows: () => size.rows,
  })
  const last = () => written.splice(0).join('')
  return { frame, last }
}

const [LINE, UP, REST] = ['^[2K', '^[1A', '^[K']

describe('RedrawnFrame', () => {
  it('draws over its lines, and erases those that are no longer there', () => {
    const { frame, last } = frameOn({ columns: 40, rows: 10 })
    frame.draw(['a', 'b', 'c'])
    expect(last()).toBe(`a${REST}\nb${REST}\nc${REST}\n`)
    frame.draw(['d'])
    expect(last()).toBe(`\r${LINE}${UP.repeat(3)}d${REST}\n${LINE}\n${LINE}\n${UP.repeat(2)}`)
    frame.draw(['d'])
    expect(last()).toBe('')
  })

  it('prints text above its lines', () => {
    const { frame, last } = frameOn({ columns: 8, rows: 10 })
    frame.draw(['a'])
    last()
    frame.print('one two three')
    expect(last()).toBe(`\r${LINE}${UP}${LINE}one two\n  three\na${REST}\n`)
    frame.clear()
    expect(last()).toBe(`\r${LINE}${UP}${LINE}`)
    frame.print('end')
    expect(last()).toBe('end\n')
  })

  it('erases every row of lines that a narrower terminal has broken', () => {
    const size = { columns: 40, rows: 10 }
    const { frame, last } = frameOn(size)
    frame.draw(['x'.repeat(39), '日'.repeat(10)])
    last()
    size.columns = 15
    frame.draw(['y'])
    expect(last()).toBe(`\r${LINE}${`${UP}${LINE}`.repeat(3 + 2)}y${REST}\n`)
  })

  it('is never higher than the terminal', () => {
    const { frame, last } = frameOn({ columns: 40, rows: 3 })
    frame.draw(['a', 'b', 'c', 'd'])
    expect(last()).toBe(`c${REST}\nd${REST}\n`)
  })
})
