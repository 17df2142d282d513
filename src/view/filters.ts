/** Which tests are shown, and in which order. */
export interface Filters {
  readonly search: string
  /** Verdicts, marks or `flaky`; an empty list selects all tests. */
  readonly verdicts: readonly string[]
  readonly suite: string
  readonly target: string
  readonly tag: string
  readonly check: string
  /** Selects tests in which this check failed. */
  readonly missed: string
  /** Selects tests on which the targets do not agree. */
  readonly differs: boolean
  /** Empty for the order of the screen. */
  readonly sort: string
  readonly descending: boolean
}

/** Changes filters, with a new history entry or in place of the current one. */
export type Change = (to: Partial<Filters>, how?: 'push' | 'replace') => void

export const DEFAULT_FILTERS: Filters = {
  search: '',
  verdicts: [],
  suite: '',
  target: '',
  tag: '',
  check: '',
  missed: '',
  differs: false,
  sort: '',
  descending: false,
}

const TEXTS = ['search', 'suite', 'target', 'tag', 'check', 'missed', 'sort'] as const

/** The filters that are not the default, for an address. */
export function filterTexts(filters: Filters): (readonly [name: string, text: string])[] {
  return [
    ...(filters.verdicts.length > 0 ? [['verdict', filters.verdicts.join(',')] as const] : []),
    ...TEXTS.flatMap(name => (filters[name] === '' ? [] : [[name, filters[name]] as const])),
    ...(filters.differs ? [['differs', '1'] as const] : []),
    ...(filters.descending ? [['order', 'descending'] as const] : []),
  ]
}

export function filtersIn(query: URLSearchParams): Filters {
  const texts = Object.fromEntries(TEXTS.map(name => [name, query.get(name) ?? '']))
  return {
    ...DEFAULT_FILTERS,
    ...texts,
    verdicts: (query.get('verdict') ?? '').split(',').filter(verdict => verdict !== ''),
    differs: query.get('differs') === '1',
    descending: query.get('order') === 'descending',
  }
}

/** Whether some tests may be hidden. */
export function isFiltered(filters: Filters): boolean {
  const { search, verdicts, suite, target, tag, check, missed, differs } = filters
  return differs || verdicts.length > 0 || [search, suite, target, tag, check, missed].some(text => text !== '')
}
