/** Says why something cannot be shown. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}

/** Shown until the data is there, if that takes long. */
export function Waiting({ what }: { readonly what: string }) {
  return (
    <p class="waiting faint" role="status">
      Loading {what}…
    </p>
  )
}
