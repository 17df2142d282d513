/** The code and the style of the page as texts, and the hashes by which its policy knows them. Made by `scripts/report-page.mjs`. */
declare module 'assay:report-page' {
  export const script: string
  export const style: string
  export const script_hash: string
  export const style_hash: string
}
