/** The keys of a turn, in the order in which they are written. */
export const TURN_KEYS: readonly string[] = [
  'input',
  'run',
  'output',
  'tools_called',
  'expected',
  'evaluation',
  'meta',
  'history',
]
