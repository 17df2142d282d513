import type { Fields } from '../fields.ts'
import { mapStrings } from '../map-strings.ts'
import { convertChat } from '../messages.ts'
import { chatOf, isMessages, keptNames, literal, type VariableFiller } from './fill-variables.ts'
import type { Prompt, PromptContent } from './prompts.ts'
import { isTemplate, type Vars } from './template.ts'

/** The prompts of a configuration as variants of a suite. */
export interface Variants {
  readonly list: readonly Fields[]
  /** Gives a test the variables of the variants. Returns its `input`, if a variant is the input of the test. */
  fillIn(filler: VariableFiller): unknown
}

type Step = (filler: VariableFiller) => unknown

/**
 * Makes variants of the prompts. A text that a suite cannot fill in, such as one with filters, becomes a variable that
 * has the text for each test. Undefined if that is impossible: two prompts that are chats of their own in each test, or
 * messages that tests cannot have.
 */
export function planVariants(
  prompts: readonly Prompt[],
  cases: readonly { readonly vars: Vars }[],
): Variants | undefined {
  const values = cases.map(({ vars }) => vars)
  const steps: Step[] = []
  let own: Prompt | undefined
  const list: Fields[] = []
  for (const prompt of prompts) {
    const { name, content } = prompt
    if (values.some(vars => typeof content === 'string' && chatOf(content, vars) !== undefined)) {
      if (own || values.some(vars => hasOtherInput(vars, content))) return undefined
      own = prompt
      list.push({ name, input: '{{input}}' })
      continue
    }
    const input = variantInput(prompt, values, steps)
    if (input === undefined) return undefined
    list.push({ name, input })
  }
  return {
    list,
    fillIn: filler => {
      if (own) filler.neverKeep('input')
      for (const step of steps) step(filler)
      return own && filler.input(own.content)
    },
  }
}

/** Whether a test has a variable `input` that is not the input which a prompt consists of. */
function hasOtherInput(vars: Vars, content: PromptContent): boolean {
  return Object.hasOwn(vars, 'input') && !/^\s*\{\{-?\s*input\s*-?\}\}\s*$/.test(String(content))
}

/** The input of a variant, and what each test has to provide for it; undefined for messages that tests cannot have. */
function variantInput({ name, content }: Prompt, values: readonly Vars[], steps: Step[]): unknown {
  if (typeof content === 'string') return variantText(name, content, values, steps)
  if (!isMessages(content)) return ownText(name, content, values, steps)
  const chat = convertChat(content)
  let number = 0
  return chat && mapStrings(chat, text => variantText(`${name}-${++number}`, text, values, steps))
}

/** A template that the suite fills in, or a variable for the text that each test has. */
function variantText(name: string, text: string, values: readonly Vars[], steps: Step[]): string {
  if (!isTemplate(text)) return literal(text)
  const names = values.map(vars => keptNames(text, vars))
  if (names.includes(undefined)) return ownText(name, text, values, steps)
  steps.push(filler => filler.keep(names[0] ?? []))
  return text
}

function ownText(
  wanted: string,
  content: string | { readonly json: unknown },
  values: readonly Vars[],
  steps: Step[],
): string {
  const isTaken = (name: string) => values.some(vars => Object.hasOwn(vars, name))
  const name = isTaken(wanted) ? `${wanted}-text` : wanted
  steps.push(filler => filler.set(name, filler.text(content)))
  return `{{${name}}}`
}
