import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ShownAnswer as Shown } from '../../../model/shown-answer.ts'
import { LongText } from '../../parts/long-text.tsx'
import { FormToggle, type TextForm, WrittenText } from '../../parts/written-text.tsx'
import { Changes } from '../test/changes.tsx'

/** Everything that a person sees of an answer: what was asked beside what was answered. */
export function ShownAnswer({ shown }: { readonly shown: Shown }) {
  const { question, criteria, note, checks, expected, answer, changes, calls } = shown
  return (
    <div class="shown">
      <div>
        <TextSection name="Question" text={question} />
        <TextSection name="Criteria" text={criteria} />
        <TextSection name="Note of the test" text={note} />
        <ListSection name="Checks" texts={checks} />
        <TextSection name="Expected output" text={expected} />
      </div>
      <div>
        <Answer text={answer} />
        <Changes changes={changes} />
        {calls && <ListSection name="Tool calls" texts={calls.length === 0 ? ['none'] : calls} />}
      </div>
    </div>
  )
}

interface SectionProps {
  readonly name: string
  readonly kind?: string
  readonly children: ComponentChildren
}

function Section({ name, kind = 'text', children }: SectionProps) {
  return (
    <section class={`panel ${kind}`}>
      <h2>{name}</h2>
      {children}
    </section>
  )
}

function TextSection({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <Section name={name}>
      <LongText text={text} />
    </Section>
  )
}

function Answer({ text }: { readonly text: string }) {
  const [form, setForm] = useState<TextForm>('text')
  return (
    <section class="panel answer">
      <div class="section-head">
        <h2>Answer</h2>
        {text !== '' && <FormToggle form={form} onChange={setForm} />}
      </div>
      {text === '' ? <pre>(empty)</pre> : <WrittenText text={text} form={form} name="the answer" />}
    </section>
  )
}

function ListSection({ name, texts }: { readonly name: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Section name={name} kind="list">
      <ul>
        {texts.map(text => (
          <li>
            <LongText text={text} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
