import type { MarkedToken, Token, Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'
import { ScrollRegion } from '../scroll-region.tsx'
import { knownTokens, readMarkdown } from './read-markdown.ts'

/** A text as Markdown. Elements are made from tokens: HTML is shown as text, and nothing is loaded. */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = readMarkdown(text)
  if (!tokens) return <pre>{text}</pre>
  return <div class="markdown">{tokens.map(tokenElement)}</div>
}

function childrenOf(tokens: readonly Token[] | undefined, text = ''): ComponentChildren {
  return tokens ? knownTokens(tokens).map(tokenElement) : text
}

/** The element of each token; what is not here is shown as it was written. */
const ELEMENTS: {
  readonly [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, { type: Type }>) => ComponentChildren
} = {
  space: () => undefined,
  def: ({ raw }) => <p>{raw.trim()}</p>,
  html: token => ('block' in token && token.block ? <pre>{token.raw.trimEnd()}</pre> : token.raw),
  text: ({ tokens, text }) => childrenOf(tokens, text),
  escape: ({ text }) => text,
  br: () => <br />,
  hr: () => <hr />,
  paragraph: ({ tokens }) => <p>{childrenOf(tokens)}</p>,
  // The page has its own headings.
  heading: ({ tokens, depth }) => (
    <p class={`heading depth-${depth}`}>
      <strong>{childrenOf(tokens)}</strong>
    </p>
  ),
  blockquote: ({ tokens }) => <blockquote>{childrenOf(tokens)}</blockquote>,
  strong: ({ tokens }) => <strong>{childrenOf(tokens)}</strong>,
  em: ({ tokens }) => <em>{childrenOf(tokens)}</em>,
  del: ({ tokens }) => <s>{childrenOf(tokens)}</s>,
  codespan: ({ text }) => <code>{text}</code>,
  code: ({ text }) => <pre class="code">{text}</pre>,
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  image: ({ text, href }) => <span class="unloaded">{`image ${text === '' ? '' : `“${text}” `}(${href})`}</span>,
  link: linkElement,
  list: listElement,
  table: tableElement,
}

function tokenElement(token: MarkedToken): ComponentChildren {
  const element = Object.hasOwn(ELEMENTS, token.type) ? ELEMENTS[token.type] : undefined
  return element ? (element as (token: MarkedToken) => ComponentChildren)(token) : token.raw
}

/** The only addresses that an answer may link to. */
const LINKED = /^(?:https?:\/\/|mailto:)/i

function linkElement({ href, tokens, text }: Tokens.Link): ComponentChildren {
  const label = childrenOf(tokens, text)
  if (!LINKED.test(href))
    return (
      <span class="unlinked">
        {label} ({href})
      </span>
    )
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {label}
    </a>
  )
}

function listElement({ ordered, start, items }: Tokens.List): JSX.Element {
  const entries = items.map(({ tokens }) => <li>{childrenOf(tokens)}</li>)
  return ordered ? <ol start={Number(start)}>{entries}</ol> : <ul>{entries}</ul>
}

function tableElement({ header, rows }: Tokens.Table): JSX.Element {
  return (
    <ScrollRegion name="Table of the answer">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th>{childrenOf(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(cells => (
            <tr>
              {cells.map(({ tokens }) => (
                <td>{childrenOf(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
