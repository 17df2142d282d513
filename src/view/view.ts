/** The state of the page, stored in the URL fragment so that it can be shared. */
export interface View {
  readonly search: string
  /** Verdicts or `flaky`; an empty list selects all tests. */
  readonly verdicts: readonly string[]
  readonly suite: string
  readonly target: string
  readonly tag: string
  readonly check: string
  /** Selects tests in which this check failed. */
  readonly missed: string
  readonly sort: string
  readonly descending: boolean
  /** Starts at 1. */
  readonly page: number
  /** Key of the open test. */
  readonly test: string
  readonly trial: number
}

/** Changes the view, with a new history entry or in place of the current one. */
export type Change = (to: Partial<View>, how?: 'push' | 'replace') => void

export const DEFAULT_VIEW: View = {
  search: '',
  verdicts: [],
  suite: '',
  target: '',
  tag: '',
  check: '',
  missed: '',
  sort: 'verdict',
  descending: false,
  page: 1,
  test: '',
  trial: 0,
}

const TEXTS = ['search', 'suite', 'target', 'tag', 'check', 'missed', 'sort', 'test'] as const
const NUMBERS = ['page', 'trial'] as const

/** Returns the URL fragment of a view, without default values. */
export function addressOf(view: View): string {
  const parts = new URLSearchParams()
  if (view.verdicts.length > 0) parts.set('verdict', view.verdicts.join(','))
  for (const name of TEXTS) if (view[name] !== DEFAULT_VIEW[name]) parts.set(name, view[name])
  if (view.descending) parts.set('order', 'descending')
  for (const name of NUMBERS) if (view[name] !== DEFAULT_VIEW[name]) parts.set(name, String(view[name]))
  return `#${parts}`
}

/** Never throws: unknown values fall back to defaults. */
export function viewOf(address: string): View {
  const parts = new URLSearchParams(address.replace(/^#/, ''))
  const texts = Object.fromEntries(TEXTS.map(name => [name, parts.get(name) ?? DEFAULT_VIEW[name]]))
  const numbers = Object.fromEntries(NUMBERS.map(name => [name, wholeNumber(parts.get(name)) ?? DEFAULT_VIEW[name]]))
  return {
    ...DEFAULT_VIEW,
    ...texts,
    ...numbers,
    verdicts: (parts.get('verdict') ?? '').split(',').filter(verdict => verdict !== ''),
    descending: parts.get('order') === 'descending',
  }
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined
}

/** Whether a filter is active. */
export function isFiltered({ search, verdicts, suite, target, tag, check, missed }: View): boolean {
  return verdicts.length > 0 || [search, suite, target, tag, check, missed].some(text => text !== '')
}
