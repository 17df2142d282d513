/** What is looked at: all of it stands in the address, so that it can be shared. */
export interface View {
  readonly search: string
  /** Verdicts, and `flaky`. Any of them; none means all. */
  readonly verdicts: readonly string[]
  readonly suite: string
  readonly target: string
  readonly tag: string
  readonly check: string
  /** Only tests in which this check was missed. */
  readonly missed: string
  readonly sort: string
  readonly descending: boolean
  /** From 1 on. */
  readonly page: number
  /** The test that is open. */
  readonly test: string
  readonly trial: number
}

/** Goes to another view, from which one can come back; or puts it in place of this one. */
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

/** A view as the part of an address behind `#`; what is as always is left out. */
export function addressOf(view: View): string {
  const parts = new URLSearchParams()
  if (view.verdicts.length > 0) parts.set('verdict', view.verdicts.join(','))
  for (const name of TEXTS) if (view[name] !== DEFAULT_VIEW[name]) parts.set(name, view[name])
  if (view.descending) parts.set('order', 'descending')
  for (const name of NUMBERS) if (view[name] !== DEFAULT_VIEW[name]) parts.set(name, String(view[name]))
  return `#${parts}`
}

/** Whatever stands in an address is a view. */
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

/** Whether tests are left out. */
export function isFiltered({ search, verdicts, suite, target, tag, check, missed }: View): boolean {
  return verdicts.length > 0 || [search, suite, target, tag, check, missed].some(text => text !== '')
}
