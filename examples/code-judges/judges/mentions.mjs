import { defineCodeJudge } from 'assay/judge'

// The answer mentions the last word of the question, but not too often.
defineCodeJudge(({ question, answer, config }) => {
  const word = question.trim().replace(/\W+$/, '').split(' ').at(-1)
  const times = answer.split(word).length - 1
  const score = times === 0 ? 0 : times <= config.at_most ? 1 : 0.5
  return { score, [score === 1 ? 'hits' : 'misses']: [`says "${word}" ${times} times`] }
})
