import { expect, it } from 'vitest'
import { recordedCommand } from '../../src/cli/recorded-command.ts'

it.each([
  ['redis://host:6379', 'redis://host:6379'],
  ['redis://:pass@host:6379', 'redis://[redacted]@host:6379'],
  ['rediss://me:p@ss/w\nrd@host', 'rediss://[redacted]@host'],
  ['--queue=redis://:pass@host', '--queue=[redacted]@host'],
  ['--queue=me:pass@host:6379', '--queue=[redacted]@host:6379'],
  ['mail@example.com', 'mail@example.com'],
])('records the argument %j as %j', (word, recorded) => {
  expect(recordedCommand({ argv: ['eval', word] })).toEqual(['assay', 'eval', recorded])
})
