import type { Choices } from '../filter-choices.ts'
import type { Change, Filters } from '../filters.ts'

interface Props {
  readonly choices: Choices
  readonly filters: Filters
  readonly change: Change
}

/** A list of choices; for checks, either the name or a missed check. */
export function FilterSelect({ choices: { name, label, groups }, filters, change }: Props) {
  const value = valueIn(filters, name)
  // An unknown value of an address is a choice too.
  const isKnown = value === '' || groups.some(({ options }) => options.some(option => option.value === value))
  return (
    <select
      name={name}
      aria-label={label}
      class={value === '' ? '' : 'chosen'}
      value={value}
      onChange={event => change(chosenIn(name, event.currentTarget.value))}
    >
      <option value="">{label}</option>
      {groups.map(({ title, options }) => {
        const items = options.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))
        return title === undefined ? (
          items
        ) : (
          <optgroup key={title} label={title}>
            {items}
          </optgroup>
        )
      })}
      {!isKnown && <option value={value}>{value}</option>}
    </select>
  )
}

function chosenIn(name: string, value: string): Partial<Filters> {
  if (name !== 'check') return { [name]: value }
  if (value === '') return { check: '', missed: '' }
  return value.startsWith('missed:') ? { check: '', missed: value.slice(7) } : { missed: '', check: value.slice(4) }
}

function valueIn(filters: Filters, name: string): string {
  if (name !== 'check') return String(filters[name as keyof Filters])
  if (filters.missed !== '') return `missed:${filters.missed}`
  return filters.check === '' ? '' : `has:${filters.check}`
}
