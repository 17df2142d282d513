// Parses every result of the newest run twice, and computes the mean difference.
import { newestResults } from './newest-results.mjs'

const [, , runs] = process.argv
const before = new Map(newestResults(runs).map(({ suite, test_id, score }) => [`${suite} ${test_id}`, score]))
const differences = newestResults(runs).map(({ suite, test_id, score }) => score - before.get(`${suite} ${test_id}`))
console.log(differences.reduce((sum, difference) => sum + difference, 0) / differences.length)
