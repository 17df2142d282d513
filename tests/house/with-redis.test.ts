import { describe, expect, it } from 'vitest'
import { findRedis } from '../support/redis.ts'

describe('tests that need Redis', () => {
  const nowhere = { PATH: '/nowhere' }

  it('are skipped where it is missing, with a line that says how to get it', () => {
    const { isSkipped, problem } = findRedis(nowhere)
    expect(isSkipped).toBe(true)
    expect(problem).toContain('apt install redis-server')
  })

  it('run in CI all the same, and fail', () => {
    expect(findRedis({ ...nowhere, CI: 'true' }).isSkipped).toBe(false)
  })
})
