import * as z from 'zod'

export const headers = z.record(z.string(), z.string())
