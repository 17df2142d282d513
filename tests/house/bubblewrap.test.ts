import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '../support/external/bubblewrap.ts'

describe('tests that need bubblewrap', () => {
  const nowhere = { PATH: '/nowhere' }

  it('are skipped if it is missing, with a message how to install it', () => {
    const { isSkipped, problem } = findBubblewrap(nowhere)
    expect(isSkipped).toBe(true)
    expect(problem).toContain('apt install bubblewrap')
  })

  it('are not skipped in CI if it is missing', () => {
    expect(findBubblewrap({ ...nowhere, CI: 'true' }).isSkipped).toBe(false)
  })
})
