/** Code and styles of the page on which answers are labelled. Built by `scripts/report-page.mjs`. */
declare module 'assay:label-page' {
  export const script: string
  export const style: string
  export const script_hash: string
  export const style_hash: string
}
