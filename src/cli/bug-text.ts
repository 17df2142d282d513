import { version } from './version.ts'

/** What to do about a bug of ours. */
export const BUG_TEXT = `This is a bug in assay ${version}, not in your files.
Please report it with the text above and, where you can, the file that caused it.
`
