import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineProvider } from '../../src/providers/define-provider.ts'

const answer = async () => ({ text: 'Hi' })

describe('the schema of a provider', () => {
  it('is made when it is first asked for, and only once', () => {
    let made = 0
    const provider = defineProvider({ config: () => z.strictObject({ least: z.number().min(++made) }), answer })
    expect(made).toBe(0)
    expect(provider.config()).toBe(provider.config())
    expect(made).toBe(1)
  })

  it('may be given as it is', () => {
    const config = z.strictObject({ least: z.number() })
    expect(defineProvider({ config, answer }).config()).toBe(config)
  })
})
