import { type RunReader, testKey } from '../model/run-reader.ts'
import { inputText } from './recorded-texts.ts'
import type { SkillTriggers } from './trigger-rates.ts'

type Rates = readonly SkillTriggers[] | undefined

/** The same rates, with the text of each query whose test has only a number. */
export function withQueryTexts(all: Rates, run: RunReader): Rates {
  if (!all?.some(({ queries }) => queries.some(isNumbered))) return all
  const attempts = new Map<string, string>()
  for (const facts of run.facts()) if (isNumbered(facts)) attempts.set(testKey(facts), facts.attempt_id)
  return all.map(rates => ({
    ...rates,
    queries: rates.queries.map(query => {
      const id = isNumbered(query) ? attempts.get(testKey({ ...query, target: rates.target })) : undefined
      const result = id === undefined ? undefined : run.result(id)
      return result ? { ...query, text: inputText(result) } : query
    }),
  }))
}

/** Whether a test has a mere number as its id, as those of a trigger set have. */
function isNumbered({ test_id }: { readonly test_id: string }): boolean {
  return /^\d+$/.test(test_id)
}
