import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { findTemplates, soleTemplate } from '../../lib/text/template.ts'
import type { Execution } from '../../model/execution.ts'
import type { Origin } from '../../model/location.ts'
import type { Message } from '../../model/message.ts'
import type { Variant, VariantInput } from '../../model/variant.ts'
import { inputSchema } from '../../spec/test.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import { expandInput } from '../variables/expand-test.ts'
import { type Scope, Vars } from '../variables/scope.ts'
import type { TestVariables } from '../variables/suite-variables.ts'
import { type Filled, Templates } from '../variables/templates.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { SuiteContext } from './load-context.ts'
import { loadInput, readableInput } from './load-input.ts'

/** A variant as written. */
interface WrittenVariant extends Variant {
  readonly at: SourceNode
  readonly input: unknown
}

/** The fields of a test with variables filled in. */
interface TestFields {
  readonly fields: Fields
  readonly at: SourceNode
  readonly id: string
}

/** The inputs of a test with variants. */
interface VariantInputs {
  readonly variants: readonly VariantInput[]
  readonly data: readonly Message[]
}

/** The variants of a suite. */
export class SuiteVariants {
  readonly #variants: readonly WrittenVariant[]
  /** Missing variables that are reported already: one test is enough. */
  readonly #reported = new Set<string>()

  private constructor(variants: readonly WrittenVariant[]) {
    this.#variants = variants
  }

  /** Reads the variants of a suite and reports those that exclude each other; undefined if it has none. */
  static read({ variants }: Fields, at: SourceNode, diagnostics: Diagnostics): SuiteVariants | undefined {
    if (variants === undefined) return undefined
    const node = at.child('variants')
    const items: readonly unknown[] = Array.isArray(variants) ? variants : []
    const written = items.flatMap((raw, index): WrittenVariant[] => {
      // The shape is checked with the suite.
      if (!isMapping(raw) || typeof raw['name'] !== 'string') return []
      const { name, input, control } = raw
      return [{ name: name as string, input, is_control: control === true, at: node.child(index) }]
    })
    reportDuplicates(written, diagnostics)
    reportControls(written, diagnostics)
    return new SuiteVariants(written)
  }

  get list(): readonly Variant[] {
    return this.#variants.map(({ name, is_control, at }) => ({ name, is_control, at }))
  }

  /** The input of a test in each variant, and what the test fills into them; undefined if one is invalid. */
  inputsOf(test: TestFields, { scope }: TestVariables, context: SuiteContext): VariantInputs | undefined {
    const { fields, at, id } = test
    const { input: written, input_files: paths } = fields
    const { diagnostics, files } = context
    if (written !== undefined && scope.names().includes('input')) reportAmbiguous(at, diagnostics)
    const own = new Vars(written === undefined ? {} : { input: written }, at)
    const templates = new Templates(scope.ofVariants(own, id, this.#reported), diagnostics, files.host.cwd)
    const inputs = this.#variants.flatMap((variant): VariantInput[] => {
      const filled = fillVariant(variant, test, own, templates, diagnostics)
      // A variant without an input is reported with the suite.
      const found =
        filled.value === undefined ? undefined : checkShape(inputSchema(), filled.value, filled.at, diagnostics)
      if (Array.isArray(found) && paths !== undefined) reportFiles(variant, at, context)
      const input = loadInput(found, paths, { input: filled.at, files: at.child('input_files') }, context)
      return input ? [{ name: variant.name, input }] : []
    })
    if (this.#variants.length > 0 && own.unused().length > 0) reportUnusedInput(at, diagnostics)
    if (inputs.length === 0 || inputs.length < this.#variants.length) return undefined
    return { variants: inputs, data: dataOf(test, scope, context) }
  }

  /** Reports a control target beside a control variant: each arm has one control. */
  reportControlTargets(
    owners: Iterable<{ readonly execution: Execution; readonly at: Origin }>,
    { diagnostics }: SuiteContext,
  ): void {
    const control = this.#variants.find(({ is_control }) => is_control)
    if (!control) return
    for (const { execution, at } of owners) {
      if (execution.control === undefined) continue
      const message = `the variant ${quoteCode(control.name)} is the control already`
      const hint = 'compare variants or targets: remove `execution.control`, or `control` of the variant'
      diagnostics.add({ code: 'bad-variants', at: at.child('execution', 'control'), message, hint })
    }
  }
}

/** The input and the variables of a test itself, as messages. */
function dataOf({ fields, at }: TestFields, scope: Scope, context: SuiteContext): Message[] {
  const nodes = { input: at.child('input'), files: at.child('input_files') }
  const own = loadInput(readableInput(fields['input']) ?? '', fields['input_files'], nodes, context) ?? []
  return [...own, { role: 'user', content: [{ type: 'json', value: scope.ownValues() }] }]
}

/** Fills in a variant. One that is `{{input}}` alone is the input of the test, also if it is messages. */
function fillVariant(
  { input, at: node }: WrittenVariant,
  { fields, at, id }: TestFields,
  own: Vars,
  templates: Templates,
  diagnostics: Diagnostics,
): Filled {
  const at_input = node.child('input')
  const { input: written } = fields
  if (written !== undefined && typeof input === 'string' && soleTemplate(input) === 'input') {
    own.find('input')
    return { value: written, at: at.child('input') }
  }
  const filled = expandInput(input, at_input, templates)
  if (Array.isArray(written) && findTemplates(JSON.stringify(input) ?? '', 'input').length > 0) {
    const message = `the \`input\` of the test ${quoteCode(id)} is a list of messages, which cannot be part of a text`
    const hint = 'write the variant as `input: "{{input}}"` alone, or the `input` of the test as a text'
    diagnostics.add({ code: 'bad-variants', at: at_input, message, hint })
  }
  return filled
}

function reportAmbiguous(at: SourceNode, diagnostics: Diagnostics): void {
  const message = 'this test has an `input`, and a variable of the same name'
  const hint = '`{{input}}` would mean both: rename the variable, or remove `input`'
  diagnostics.add({ code: 'ambiguous-variable', at: at.child('input'), part: 'key', message, hint })
}

function reportUnusedInput(at: SourceNode, diagnostics: Diagnostics): void {
  const message = 'the `input` of this test is not used by any variant'
  const hint = 'write `{{input}}` in a variant where it should be, or remove it'
  diagnostics.add({ code: 'unused-variable', at: at.child('input'), part: 'key', message, hint })
}

function reportDuplicates(variants: readonly WrittenVariant[], diagnostics: Diagnostics): void {
  const names = new Set<string>()
  for (const { name, at } of variants) {
    if (names.has(name)) {
      const message = `two variants are named ${quoteCode(name)}`
      diagnostics.add({ code: 'duplicate-name', at: at.child('name'), message, hint: 'rename one of them' })
    }
    names.add(name)
  }
}

function reportControls(variants: readonly WrittenVariant[], diagnostics: Diagnostics): void {
  const [first, ...others] = variants.filter(({ is_control }) => is_control)
  for (const { at } of others) {
    const message = `the variant ${quoteCode(first?.name ?? '')} is the control already`
    const hint = 'the others are compared with one control: remove `control` here or there'
    diagnostics.add({ code: 'bad-variants', at: at.child('control'), message, hint })
  }
  if (!first || variants.length > 1) return
  const message = `the control ${quoteCode(first.name)} is the only variant: there is nothing to compare with it`
  const hint = 'add other variants, or remove `control`'
  diagnostics.add({ code: 'bad-variants', at: first.at.child('control'), message, hint })
}

function reportFiles({ name }: WrittenVariant, at: SourceNode, { diagnostics }: SuiteContext): void {
  const message = `\`input_files\` cannot be used with the variant ${quoteCode(name)}, which is a list of messages`
  const hint = 'write the variant as a text, or each file as a block of a message: `- {type: file, value: PATH}`'
  diagnostics.add({ code: 'bad-variants', at: at.child('input_files'), part: 'key', message, hint })
}
