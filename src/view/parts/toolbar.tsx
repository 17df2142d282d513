import type { ComponentChildren, RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { choicesOf } from '../filter-choices.ts'
import { type Change, DEFAULT_FILTERS, type Filters, isFiltered } from '../filters.ts'
import { kindsOf, type Row } from '../rows.ts'
import { FilterSelect } from './filter-select.tsx'
import { format } from './format.ts'
import { VerdictSign, verdictClass } from './verdict-badge.tsx'

interface Props {
  readonly rows: readonly Row[]
  readonly filters: Filters
  readonly change: Change
  readonly search: RefObject<HTMLInputElement | null>
  /** Further controls of the screen. */
  readonly children?: ComponentChildren
}

/** The filter controls: search, verdicts and lists. */
export function Toolbar({ rows, filters, change, search, children }: Props) {
  const choices = useMemo(() => choicesOf(rows), [rows])
  const clear = () => {
    const { sort, descending } = filters
    change({ ...DEFAULT_FILTERS, sort, descending })
    search.current?.focus()
  }
  return (
    <search class="filters" aria-label="Tests">
      <SearchField filters={filters} change={change} search={search} />
      <Verdicts rows={rows} filters={filters} change={change} />
      {choices.map(each => (
        <FilterSelect key={each.name} choices={each} filters={filters} change={change} />
      ))}
      {children}
      {isFiltered(filters) && (
        <button type="button" class="quiet" onClick={clear}>
          Clear filters
        </button>
      )}
    </search>
  )
}

/** Typing replaces the history entry, so that back leads to the list before the search. */
function SearchField({ filters, change, search }: Omit<Props, 'rows'>) {
  const type = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value.trim()
    change({ search: text }, filters.search === '' ? 'push' : 'replace')
  }
  // A space at the end stays while it is typed.
  const shown = search.current?.value.trim() === filters.search ? search.current.value : filters.search
  return (
    <input
      ref={search}
      type="search"
      aria-label="Search tests"
      aria-keyshortcuts="/"
      placeholder="Search by name, tag, check or reason"
      autocomplete="off"
      spellcheck={false}
      value={shown}
      onInput={type}
    />
  )
}

const VERDICTS = [
  ...['error', 'fail', 'borderline', 'flaky', 'pass'],
  ...['unexpected pass', 'expected failure', 'quarantined'],
] as const

function Verdicts({ rows, filters, change }: Pick<Props, 'rows' | 'filters' | 'change'>) {
  const counts = useMemo(() => countKinds(rows), [rows])
  const toggle = (verdict: string) => {
    const without = filters.verdicts.filter(each => each !== verdict)
    change({ verdicts: without.length < filters.verdicts.length ? without : [...filters.verdicts, verdict] })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend
    <div class="chips" role="group" aria-label="Verdict">
      {VERDICTS.filter(verdict => counts.has(verdict)).map(verdict => (
        <button
          key={verdict}
          type="button"
          class={`chip ${verdictClass(verdict)}`}
          aria-pressed={filters.verdicts.includes(verdict)}
          onClick={() => toggle(verdict)}
        >
          <VerdictSign verdict={verdict} />
          {verdict}
          <span class="faint">{format.count(counts.get(verdict))}</span>
        </button>
      ))}
    </div>
  )
}

function countKinds(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) for (const kind of kindsOf(row)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
