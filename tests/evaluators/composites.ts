/** How many parts the score of a child has: it is a multiple of 0.05. */
const PARTS = 20

/** A check that has this score on any answer with messages, and no tool calls. */
export function scored(score: number, more = ''): string {
  const kept = Math.round(score * PARTS)
  const minimums = Array.from({ length: PARTS }, (_, index) => `t${index}: ${index < kept ? 0 : 1}`)
  return `{type: tool_trajectory, minimums: {${minimums.join(', ')}}${more === '' ? '' : `, ${more}`}}`
}

/** A check that cannot be judged where the target reports no cost. */
export const UNJUDGED = 'type: cost, budget: 1'

/** `a=0.5*2!0.8~ b=?`: checks by name with their score (`?`: none), weight and mark; `~` turns one around. */
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

/** A composite of children, written in short or in full. */
export function compositeOf(aggregator: string, children: string | readonly string[], more = ''): string {
  const list = typeof children === 'string' ? childrenOf(children) : children
  const fields = [aggregator && `aggregator: ${aggregator}`, more].filter(field => field).map(field => `${field}, `)
  return `{type: composite, ${fields.join('')}evaluators: [${list.join(', ')}]}`
}
