/** The score of a child is a multiple of 1/20. */
const PARTS = 20

/** A check with this score for any transcript without tool calls. */
export function scored(score: number, more = ''): string {
  const kept = Math.round(score * PARTS)
  const minimums = Array.from({ length: PARTS }, (_, index) => `t${index}: ${index < kept ? 0 : 1}`)
  return `{type: tool_trajectory, minimums: {${minimums.join(', ')}}${more === '' ? '' : `, ${more}`}}`
}

/** A check that cannot be judged if the target reports no cost. */
export const UNJUDGED = 'type: cost, budget: 1'

/** `a=0.5*2!0.8~ b=?`: checks by name with their score (`?`: unjudged), weight and threshold; `~` negates a check. */
function childrenOf(text: string): string[] {
  return text.split(' ').map(word => {
    const [, name, score, weight, required, negate] =
      /^(\w+)=([\d.]+|\?)(?:\*([\d.]+))?(?:!([\d.]+))?(~)?$/.exec(word) ?? []
    const more = [
      `name: ${name}`,
      weight && `weight: ${weight}`,
      required && `required: ${required}`,
      negate && 'negate: true',
    ]
    const fields = more.filter(field => field).join(', ')
    return score === '?' ? `{${UNJUDGED}, ${fields}}` : scored(Number(score), fields)
  })
}

/** A composite of children in short or full form. */
export function compositeOf(aggregator: string, children: string | readonly string[], more = ''): string {
  const list = typeof children === 'string' ? childrenOf(children) : children
  const fields = [aggregator && `aggregator: ${aggregator}`, more].filter(field => field).map(field => `${field}, `)
  return `{type: composite, ${fields.join('')}evaluators: [${list.join(', ')}]}`
}
