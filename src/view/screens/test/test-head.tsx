import type { ComponentChildren } from 'preact'
import type { Result } from '../../../model/result.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { format } from '../../parts/format.ts'
import { SourceLocation } from '../../parts/source-location.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import type { Row } from '../../rows.ts'

interface Props {
  readonly row: Row
  readonly result: Result
  readonly command: string
  readonly has_links: boolean
}

/** The name of a test, its verdict, and what it is about. */
export function TestHead({ row, result, command, has_links }: Props) {
  const { verdict, is_flaky, standing, score, tags, suite, target } = row
  const { model, description, criteria, note, conversation_id } = result
  return (
    <header class="test-head">
      <h1 id="test-name" tabIndex={-1}>
        {row.test_id}
      </h1>
      <p class="verdict-line">
        <VerdictBadge verdict={verdict} />
        {is_flaky && <VerdictBadge verdict="flaky" />}
        {standing !== undefined && <VerdictBadge verdict={standing} />}
        <span class="value">{format.score(score)}</span>
        {[suite, target, model].map(fact => fact !== undefined && <span class="fact">{fact}</span>)}
        <SourceLocation file={row.file} line={row.line} has_link={has_links} />
      </p>
      <About text={description} />
      <About name="Criteria" text={criteria} />
      <About name="Note" text={note} />
      <About name="Conversation" text={conversation_id} />
      <div class="head-end">
        {tags.length > 0 && (
          <ul class="tags" aria-label="Tags">
            {tags.map(tag => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        )}
        <p class="command">
          <span class="faint">Run it again:</span> <code>{command}</code>
          <CopyButton text={command} what="the command that runs this test again" />
        </p>
      </div>
    </header>
  )
}

interface AboutProps {
  readonly name?: string
  readonly text: ComponentChildren
}

function About({ name, text }: AboutProps) {
  if (text === undefined) return null
  return (
    <p class="about">
      {name !== undefined && <strong>{name}: </strong>}
      {text}
    </p>
  )
}
