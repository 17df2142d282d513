import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'

/** Most names that are listed. */
const MAX_NAMES = 5

/** Moves to the top of a terminal that is empty then. */
export const CLEAR_SCREEN = '\u001b[2J\u001b[H'

/** What the program waits for, between two runs. */
export function waitingText(folders: number, hasKeys: boolean): string {
  const keys = 'Press a to run all tests, f failed ones, Enter the last ones again, q to quit.'
  return `\nWatching ${plural(folders, 'folder')} for changes.${hasKeys ? ` ${keys}` : ''}\n`
}

/** After a change that affects no test. */
export function currentText(paths: readonly string[]): string {
  return `${listed(paths)} changed: all results are current.\n`
}

/** After a run that changed files of its own targets. */
export function writtenText(paths: readonly string[], hasKeys: boolean): string {
  const again = hasKeys ? ' If you edited it, press a.' : ''
  return `${listed(paths)} changed during the run: counted as written by the agent, so nothing runs again.${again}\n`
}

/** After a test that is not reliable. */
export function flakyText(tests: readonly string[]): string {
  return `${plural(tests.length, 'test')} failed before and passed now, though nothing changed (flaky): ${listed(tests)}\n`
}

/** After several runs, each of which was outdated when it ended. */
export function chainText(runs: number, hasKeys: boolean): string {
  const how = hasKeys ? 'Press Enter, or change a file, to run again.' : 'Change a file to run again.'
  return `Files changed during each of the last ${runs} runs, so results are outdated. If an agent writes them, remove them from its \`depends_on\`. ${how}\n`
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `${names.slice(0, MAX_NAMES).map(printableLine).join(', ')}${more}`
}
