import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { LABELS } from '../../../model/shown-answer.ts'
import type { Sample } from './use-sample.ts'

/** A key that labels is a repetition, and no decision, if it comes this soon after another answer is shown. */
const REPEAT_MS = 200

interface Elements {
  readonly note: RefObject<HTMLInputElement | null>
  readonly help: RefObject<HTMLDetailsElement | null>
}

/** Labels by key. */
export function useLabelKeys(sample: Sample, elements: Elements): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { repeat, ctrlKey, metaKey, altKey, target } = event
      if (repeat || ctrlKey || metaKey || altKey || target === elements.note.current) return
      pressKey(event, sample, elements)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

function pressKey(event: KeyboardEvent, sample: Sample, { note, help }: Elements): void {
  const { key } = event
  const label = key.length === 1 ? LABELS.find(name => name.startsWith(key.toLowerCase())) : undefined
  if (label && event.timeStamp - sample.shown_at > REPEAT_MS) sample.label(label, note.current?.value ?? '')
  if (key === 's') sample.skip()
  if (key === 'b') sample.back()
  if (key === '?' && help.current) help.current.open = !help.current.open
  if (key !== 'n' || !sample.page) return
  event.preventDefault()
  const field = note.current
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}
