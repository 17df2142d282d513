/** Said where a target is asked for and no file has any. */
export const NO_TARGETS_FILE = `No targets file: looked for .assay/targets.yaml, .agentv/targets.yaml and targets.yaml here and in the folders above.
Name one with \`--targets\`, or write a first one with \`assay init\`.
`
