/** An answer to the same test that a check compares with: of another target in the same run, or of an earlier run. */
export type OtherAnswer = { readonly target: string } | { readonly run: string }
