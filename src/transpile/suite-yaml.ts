import { dump } from 'js-yaml'

type Fields = Readonly<Record<string, unknown>>

/** The text of an EVAL.yaml with these fields. */
export function suiteYaml(suite: Fields, tests: readonly unknown[]): string {
  return yamlText({ ...suite, tests })
}

/** A part of a targets file with these targets. */
export function targetsYaml(targets: readonly Fields[]): string {
  return yamlText({ targets })
}

function yamlText(fields: Fields): string {
  return dump(fields, { lineWidth: 120, noRefs: true })
}
