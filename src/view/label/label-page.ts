import { type GivenLabel, type LabelPage, LONGEST_NOTE } from '../../model/shown-answer.ts'
import { el, refill } from '../dom/element.ts'
import { answerAt, nextAnswer, type SampleEnd, sendLabel } from './requests.ts'
import { answerSections } from './shown-answer.ts'

/** A key that labels is a repetition, and no decision, if it comes this soon after another answer is shown. */
const REPEAT_MS = 200

/** Shows the answers of a sample, one after another, and sends the labels. */
export function showLabelPage(container: HTMLElement): void {
  new LabelView(container).start()
}

class LabelView {
  readonly #heading = el('h1', { tabindex: '-1' })
  readonly #progress = el('p', { class: 'faint', role: 'status' })
  readonly #problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  readonly #answer = el('div', { class: 'shown' })
  readonly #note = el('input', { id: 'note', type: 'text', maxlength: LONGEST_NOTE, autocomplete: 'off' })
  readonly #help = helpSection()
  readonly #labels: ReadonlyMap<GivenLabel, HTMLButtonElement>
  readonly #others: readonly HTMLButtonElement[]
  readonly #back: HTMLButtonElement
  /** The answer that is shown; undefined after the last one. */
  #page: LabelPage | undefined
  /** The position before which `back` goes. */
  #position = 0
  #shownAt = 0
  /** Whether a request is under way, during which no key counts. */
  #isBusy = true

  constructor(container: HTMLElement) {
    const labelButton = (label: GivenLabel, name: string, key: string) =>
      [label, button(name, key, label, () => this.#label(label))] as const
    this.#labels = new Map([
      labelButton('pass', 'Pass', 'p'),
      labelButton('fail', 'Fail', 'f'),
      labelButton('unsure', 'Unsure', 'u'),
    ])
    this.#others = [button('Skip', 's', 'other', () => this.#skip())]
    this.#back = button('Back', 'b', 'other', () => this.#goBack())
    refill(
      container,
      el('main', {}, el('header', {}, this.#heading, this.#progress), this.#problem, this.#answer),
      el(
        'footer',
        { class: 'actions' },
        el('div', { class: 'note' }, el('label', { for: 'note' }, 'Note'), this.#note),
        el('div', { class: 'buttons' }, ...this.#labels.values(), ...this.#others, this.#back),
        this.#help,
      ),
    )
    this.#note.addEventListener('keydown', event => this.#typeNote(event))
    document.addEventListener('keydown', event => this.#press(event))
  }

  start(): void {
    this.#request(async () => this.#show(await nextAnswer(0)))
  }

  /** Does one thing at a time, and shows why it could not be done. */
  async #request(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true
    try {
      await work()
      this.#problem.hidden = true
    } catch (error) {
      refill(this.#problem, (error as Error).message)
      this.#problem.hidden = false
    } finally {
      this.#isBusy = false
    }
  }

  #show(next: LabelPage | SampleEnd): void {
    const page = next.number === undefined ? undefined : next
    this.#page = page
    this.#position = page?.number ?? next.of + 1
    refill(this.#heading, page ? `Answer ${page.number} of ${page.of}` : 'End of the sample')
    refill(this.#progress, `${next.labelled} of ${next.of} labelled${page ? ` by ${page.by}` : endText(next)}`)
    refill(this.#answer, ...(page ? answerSections(page.shown) : []))
    this.#note.value = page?.earlier?.note ?? ''
    for (const [label, each] of this.#labels) {
      each.disabled = !page
      each.setAttribute('aria-pressed', String(page?.earlier?.label === label))
    }
    for (const each of [...this.#others, this.#note]) each.disabled = !page
    this.#back.disabled = this.#position <= 1
    this.#shownAt = Number(document.timeline.currentTime ?? 0)
    window.scrollTo(0, 0)
    this.#heading.focus()
  }

  #label(label: GivenLabel): void {
    const page = this.#page
    if (!page || this.#isBusy) return
    this.#request(async () => {
      await sendLabel(page.number, label, this.#note.value)
      this.#show(await nextAnswer(page.number))
    })
  }

  #skip(): void {
    const page = this.#page
    if (!page || this.#isBusy) return
    this.#request(async () => this.#show(await nextAnswer(page.number)))
  }

  #goBack(): void {
    if (this.#position <= 1 || this.#isBusy) return
    this.#request(async () => this.#show(await answerAt(this.#position - 1)))
  }

  #press(event: KeyboardEvent): void {
    const { key, repeat, ctrlKey, metaKey, altKey, target } = event
    if (repeat || ctrlKey || metaKey || altKey || target === this.#note) return
    const [label] = [...this.#labels.keys()].filter(name => name.startsWith(key.toLowerCase()))
    if (label && key.length === 1) {
      if (event.timeStamp - this.#shownAt > REPEAT_MS) this.#label(label)
    } else if (key === 's') this.#skip()
    else if (key === 'b') this.#goBack()
    else if (key === '?') this.#help.open = !this.#help.open
    else if (key === 'n' && this.#page) {
      event.preventDefault()
      this.#note.focus()
    }
  }

  /** Return and Escape leave the field; Return keeps the note, and writes it if the answer has a label. */
  #typeNote({ key }: KeyboardEvent): void {
    const earlier = this.#page?.earlier
    if (key === 'Escape') this.#note.value = earlier?.note ?? ''
    if (key !== 'Escape' && key !== 'Enter') return
    this.#heading.focus()
    if (key === 'Enter' && earlier && typeof earlier.label !== 'number') this.#label(earlier.label)
  }
}

function endText({ of, labelled }: Pick<SampleEnd, 'of' | 'labelled'>): string {
  return of > labelled ? '. Load the page again for those that you skipped.' : '. You can close this page.'
}

function button(name: string, key: string, kind: string, click: () => void): HTMLButtonElement {
  return el('button', { type: 'button', class: kind, click, 'aria-keyshortcuts': key }, name, el('kbd', {}, key))
}

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['p', 'the answer passes'],
  ['f', 'the answer fails'],
  ['u', 'unsure: kept, but counts in no figure'],
  ['s', 'skip: nothing is written, and the answer comes again next time'],
  ['n', 'add a note to the label: type a line, then Return'],
  ['b', 'back to the previous answer, to change its label'],
  ['?', 'open or close this help'],
]

function helpSection(): HTMLDetailsElement {
  return el(
    'details',
    { class: 'help' },
    el('summary', {}, 'Keys'),
    el('p', {}, 'Does the answer pass, by its question, criteria and checks? Leave out checks on what you cannot see.'),
    el('dl', {}, ...KEYS.flatMap(([key, meaning]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, meaning)])),
  )
}
