import { describe, expect, it } from 'vitest'
import { findRedis } from '../support/external/redis.ts'

describe('tests that need Redis', () => {
  const nowhere = { PATH: '/nowhere' }

  it('are skipped if it is missing, with a message how to install it', () => {
    const { isSkipped, problem } = findRedis(nowhere)
    expect(isSkipped).toBe(true)
    expect(problem).toContain('apt install redis-server')
  })

  it('are not skipped in CI if it is missing', () => {
    expect(findRedis({ ...nowhere, CI: 'true' }).isSkipped).toBe(false)
  })
})
