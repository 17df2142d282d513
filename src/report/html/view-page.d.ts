/** Code and styles of the page as text, with their hashes for the content security policy. Built by `scripts/report-page.mjs`. */
declare module 'assay:view-page' {
  export const script: string
  export const style: string
  export const script_hash: string
  export const style_hash: string
}
