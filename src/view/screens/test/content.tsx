import { useState } from 'preact/hooks'
import { isMapping } from '../../../lib/objects.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { ViewImage } from '../../../report/html/view-data.ts'
import { LongText } from '../../parts/long-text.tsx'

/** Finds an image by the hash of its file. */
export type ImageLookup = (hash: string) => ViewImage

interface Props {
  /** A text, a block, or a list of blocks. */
  readonly content: unknown
  readonly imageOf: ImageLookup
}

/** The content of a message in any recorded form: texts, images, thinking and other data. */
export function Content({ content, imageOf }: Props) {
  const blocks = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]
  return (
    <>
      {blocks.map(block => (
        <Block block={block} imageOf={imageOf} />
      ))}
    </>
  )
}

function Block({ block, imageOf }: { readonly block: unknown; readonly imageOf: ImageLookup }) {
  if (!isMapping(block)) return <LongText text={asText(block)} />
  const { type, value, text, sha256 } = block
  const thought = thinkingIn(block)
  if (thought !== undefined) return <Thinking text={thought} />
  const inline = inlineImage(block)
  if (inline !== undefined) return <img class="shown-image" src={inline} alt="Attached to the message" />
  const shown = asText(value ?? text ?? block)
  if (type !== 'file' && type !== 'image') return <LongText text={shown} />
  if (typeof sha256 === 'string' && (type === 'image' || IMAGE_FILE.test(shown)))
    return <FileImage path={shown} hash={sha256} image={imageOf(sha256)} />
  return <FileName path={shown} hash={sha256} />
}

const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp)$/i

/** Only bitmaps are shown: SVG can contain code. Nothing is fetched from elsewhere. */
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]+$/
const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/

/** The image that a block contains: as an address, or in the form of the APIs of Anthropic or OpenAI. */
function inlineImage({ type, value, image_url, source }: Readonly<Record<string, unknown>>): string | undefined {
  const { url } = isMapping(image_url) ? image_url : { url: image_url }
  const { media_type, data } = isMapping(source) ? source : {}
  const made =
    typeof media_type === 'string' && IMAGE_TYPE.test(media_type) && typeof data === 'string'
      ? `data:${media_type};base64,${data}`
      : undefined
  const isImage = type === 'image' || type === 'image_url' || type === 'input_image'
  return isImage
    ? ([value, url, made].find(each => typeof each === 'string' && INLINE_IMAGE.test(each)) as string)
    : undefined
}

/** The text of a block in which a model thinks. */
function thinkingIn({
  type,
  thinking,
  reasoning,
  text,
  summary,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (type === 'redacted_thinking') return 'redacted by the provider'
  if (type !== 'thinking' && type !== 'reasoning') return undefined
  return asText(thinking ?? reasoning ?? text ?? summary ?? '')
}

function Thinking({ text }: { readonly text: string }) {
  return (
    <details class="thinking">
      <summary>Thinking</summary>
      <LongText text={text} />
    </details>
  )
}

/** An image file of the input, or why it cannot be shown. */
function FileImage({ path, hash, image }: { readonly path: string; readonly hash: string; readonly image: ViewImage }) {
  const [isBroken, setBroken] = useState(false)
  const problem = 'problem' in image ? image.problem : 'the file is no longer there, or has changed'
  if ('problem' in image || isBroken) return <FileName path={path} hash={hash} note={`Not shown: ${problem}`} />
  return (
    <figure class="shown-file">
      <img class="shown-image" src={image.src} alt={path} onError={() => setBroken(true)} />
      <figcaption>
        <FileName path={path} hash={hash} />
      </figcaption>
    </figure>
  )
}

interface FileNameProps {
  readonly path: string
  readonly hash: unknown
  readonly note?: string
}

function FileName({ path, hash, note }: FileNameProps) {
  return (
    <p class="file">
      <code>{path}</code>
      {typeof hash === 'string' && <span class="faint"> {hash.slice(0, 8)}</span>}
      {note !== undefined && <span class="faint"> {note}</span>}
    </p>
  )
}
