import { Option } from 'commander'
import type { Redactor } from '../lib/redaction/redactor.ts'
import { UserError } from '../model/user-error.ts'
import type { OtelRequest, OtelSettings } from '../operations/otel/otel-settings.ts'
import type { CommandContext } from './command-context.ts'

/** The options of commands that send a run to a collector. */
export interface OtelOptions {
  readonly otel?: string | true
  readonly otelContent?: boolean
}

export function otelOption(): Option {
  return new Option('--otel [url]', 'also send the run as spans to a collector (default: $OTEL_EXPORTER_OTLP_ENDPOINT)')
}

export function otelContentOption(): Option {
  return new Option('--otel-content', 'with --otel: also send prompts and answers')
}

/** Where the options ask spans to be sent; undefined without `--otel`. */
export function otelRequestOf({ otel, otelContent = false }: OtelOptions): OtelRequest | undefined {
  if (otel === undefined && otelContent)
    throw new UserError('--otel-content needs --otel.', 'Name a collector: `--otel http://localhost:4318`.')
  return otel === undefined ? undefined : { url: otel, content: otelContent }
}

/** The settings for `--otel`; undefined without it. */
export async function otelOf(options: OtelOptions, { host }: CommandContext): Promise<OtelSettings | undefined> {
  const request = otelRequestOf(options)
  if (!request) return undefined
  const { otelSettings } = await import('../operations/otel/otel-settings.ts')
  return otelSettings(request, host)
}

/** An observer that sends the spans of a run; undefined without settings. */
export async function exportSpans(settings: OtelSettings | undefined, redactor: Redactor, { host }: CommandContext) {
  if (!settings) return undefined
  const { SpanExport } = await import('../operations/otel/span-export.ts')
  return new SpanExport(settings, redactor, host)
}
