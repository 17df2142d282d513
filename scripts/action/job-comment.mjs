const PAGE_SIZE = 100
/** More comments than GitHub allows on a pull request. */
const MAX_PAGES = 50

/**
 * The comment of a job on a pull request: one, also if two runs create it at the same moment. `head`, the beginning of its
 * text, names the job and the run.
 */
export function jobComment({ request, graphql, issues, number, name, run }) {
  // Encoded, a name cannot end the HTML comment.
  const marker = `<!-- assay:${encodeURIComponent(name)} -->`

  /** Creates or replaces the comment; returns what it did. */
  async function write(body) {
    const isOwn = await ownership()
    const [first, ...duplicates] = await find(isOwn)
    if (!first) return await create(body, isOwn)
    const done = await update(first, body)
    for (const duplicate of duplicates) await remove(duplicate)
    return done
  }

  /** Anyone can write the marker: only comments by the account of the token are replaced. */
  async function ownership() {
    const { login } = (await request('POST', graphql, { query: '{ viewer { login } }' }))?.data?.viewer ?? {}
    if (!login) throw new Error('GitHub does not name the account of the token')
    const isBot = login.endsWith('[bot]')
    // The two APIs differ in whether the name of a bot has the suffix.
    return ({ user }) =>
      user?.login.replace('[bot]', '') === login.replace('[bot]', '') && (!isBot || user.type === 'Bot')
  }

  /** The comments of the job, oldest first. A quoted marker is not at the beginning of a text. */
  async function find(isOwn) {
    const found = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const comments = await request('GET', `${issues}/${number}/comments?per_page=${PAGE_SIZE}&page=${page}`)
      found.push(...comments.filter(comment => firstLine(comment) === marker && isOwn(comment)))
      if (comments.length < PAGE_SIZE) break
    }
    return found.sort((a, b) => a.id - b.id)
  }

  async function create(body, isOwn) {
    const created = await request('POST', `${issues}/${number}/comments`, { body })
    // Another run may have created one in the meantime, or the answer to an earlier attempt was lost: the oldest is kept.
    const [first = created] = await find(isOwn)
    if (first.id >= created.id) return 'Comment created.'
    const done = await update(first, body)
    await remove(created)
    return done
  }

  async function update(comment, body) {
    if (isNewer(runOf(comment), run)) return 'Comment not changed: a newer run has written it.'
    await request('PATCH', `${issues}/comments/${comment.id}`, { body })
    return 'Comment updated.'
  }

  /** Another run may have removed it, too. */
  async function remove({ id }) {
    await request('DELETE', `${issues}/comments/${id}`).catch(error => {
      if (error.status !== 404) console.log(`Comment ${id} is a duplicate and could not be removed: ${error.message}.`)
    })
  }

  return { head: `${marker}\n<!-- run:${run.join('.')} -->\n`, write }
}

function firstLine({ body }) {
  return body?.split(/\r?\n/, 1)[0]
}

/** The run and the attempt that wrote a comment. */
function runOf({ body }) {
  const [, id, attempt] = /^.*\r?\n<!-- run:(\d+)\.(\d+) -->/.exec(body) ?? []
  return [Number(id ?? 0), Number(attempt ?? 0)]
}

function isNewer([id, attempt], [otherId, otherAttempt]) {
  return id > otherId || (id === otherId && attempt > otherAttempt)
}
