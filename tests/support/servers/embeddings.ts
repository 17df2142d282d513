import type { Behaviour } from './server.ts'

/** Counts words by their first letter: the vector of `apple bee` has a 1 for `a` and for `b`. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: 26 }, () => 0)
  for (const [letter = ''] of text.toLowerCase().matchAll(/\b[a-z]/g)) {
    const axis = letter.charCodeAt(0) - 97
    vector[axis] = (vector[axis] ?? 0) + 1
  }
  return vector
}

/** Answers as `POST /embeddings` of OpenAI, with a token for each word. */
export const embed: Behaviour = ({ body }, response) => {
  const { input, model }: { input: string[]; model: string } = JSON.parse(body)
  const tokens = input.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data, model, usage }))
}

/** Answers as `batchEmbedContents` of Google, which reports no tokens. */
export const embedAsGoogle: Behaviour = ({ body }, response) => {
  const { requests }: { requests: { content: { parts: { text: string }[] } }[] } = JSON.parse(body)
  const embeddings = requests.map(({ content }) => ({ values: vectorOf(content.parts[0]?.text ?? '') }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ embeddings }))
}
