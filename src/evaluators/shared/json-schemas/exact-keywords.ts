import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { canonicalJson } from '../../../lib/json/stringify.ts'
import { isMultipleOf } from '../../../lib/numbers.ts'
import { deepEqual } from '../../../lib/objects.ts'
import { inexactNumberError } from '../unjudged.ts'

/** Keywords that compare a number with a limit. */
const LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

interface Comparison {
  readonly holds: (value: unknown, compared: unknown) => boolean
  readonly error: (compared: unknown) => { readonly message: string; readonly params: Record<string, unknown> }
  readonly type?: 'array'
}

/** Keywords that compare whole values. Those of ajv also compare inherited properties such as `constructor`. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  const: {
    holds: deepEqual,
    error: allowedValue => ({ message: 'must be equal to constant', params: { allowedValue } }),
  },
  enum: {
    holds: (value, allowed) => (allowed as unknown[]).some(each => deepEqual(value, each)),
    error: allowedValues => ({ message: 'must be equal to one of the allowed values', params: { allowedValues } }),
  },
  uniqueItems: {
    type: 'array',
    holds: (value, isUnique) => isUnique !== true || !hasDuplicates(value as unknown[]),
    error: () => ({ message: 'must NOT have duplicate items', params: {} }),
  },
}

function hasDuplicates(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalJson)).size < items.length
}

/** Keywords that compare numbers exactly, or throw `Unjudged`. */
export class ExactKeywords {
  /** Rounded numbers of the current value, with the integers as written. */
  lost: ReadonlyMap<number, string> = new Map()

  /** Replaces the keywords of an instance. `_` is ajv's code generator. */
  addTo(ajv: Ajv, _: typeof import('ajv')._): Ajv {
    for (const keyword of LIMITS) {
      const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
      const code = (cxt: KeywordCxt) => {
        const require = cxt.gen.scopeValue('func', { ref: this.requireExact })
        cxt.gen.code(_`${require}(${cxt.data}, ${cxt.schemaCode})`)
        definition.code(cxt)
      }
      ajv.removeKeyword(keyword).addKeyword({ ...definition, keyword, code })
    }
    for (const [keyword, { type, ...comparison }] of Object.entries(COMPARISONS)) {
      const compile = (compared: unknown) => this.#compared(keyword, compared, comparison)
      ajv.removeKeyword(keyword).addKeyword({ keyword, ...(type ? { type } : {}), compile })
    }
    const compile = (divisor: number) => this.#multipleOf(divisor)
    const multipleOf = { keyword: 'multipleOf', type: 'number', schemaType: 'number', compile } as const
    return ajv.removeKeyword('multipleOf').addKeyword(multipleOf)
  }

  /** Throws if a comparison with the value of a keyword would use a rounded number. */
  requireExact = (value: unknown, compared: unknown): void => {
    if (this.lost.size === 0 || compared === false) return
    // A number that differs after rounding also differs as written.
    const isSure = typeof value === 'number' && ![compared].flat().includes(value)
    const written = isSure ? undefined : this.#lostIn(value)
    if (written !== undefined) throw inexactNumberError(written)
  }

  #lostIn(value: unknown): string | undefined {
    if (typeof value === 'number') return this.lost.get(value)
    if (typeof value !== 'object' || value === null) return undefined
    return Object.values(value).reduce<string | undefined>((found, part) => found ?? this.#lostIn(part), undefined)
  }

  #compared(keyword: string, compared: unknown, { holds, error }: Comparison) {
    const validate: DataValidateFunction = (value: unknown) => {
      this.requireExact(value, compared)
      validate.errors = [{ keyword, ...error(compared) }]
      return holds(value, compared)
    }
    return validate
  }

  /** `multipleOf` for decimals: 19.99 is a multiple of 0.01. */
  #multipleOf(divisor: number) {
    const validate: DataValidateFunction = (value: number) => {
      this.requireExact(value, value)
      validate.errors = [{ keyword: 'multipleOf', message: `must be multiple of ${divisor}`, params: {} }]
      return isMultipleOf(value, divisor)
    }
    return validate
  }
}
