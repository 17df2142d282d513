import { isMapping } from '../../lib/objects.ts'
import { isZip } from '../../lib/zip.ts'
import type { ImportFormat } from '../format.ts'
import { convertDataset, isDataset } from './dataset.ts'
import { convertLog } from './log-run.ts'
import { readArchive } from './read-archive.ts'

export const inspect: ImportFormat = {
  name: 'inspect',
  title: 'a log or dataset of Inspect',
  isCandidate: name => /\.(?:eval|json|jsonl|csv)$/i.test(name),
  recognise: ({ file, bytes, document }) =>
    (isZip(bytes) && /\.eval$/i.test(file)) || isLog(document?.value) || isDataset(document),
  convert: async ({ file, bytes, document }, context) => {
    if (isZip(bytes)) return { runs: [convertLog(await readArchive(file, context), file, context)] }
    if (document && isLog(document.value)) return { runs: [convertLog(document, file, context)] }
    return { suites: document ? [convertDataset(document, file, context)] : [] }
  },
}

function isLog(value: unknown): boolean {
  return isMapping(value) && isMapping(value['eval']) && 'status' in value && 'version' in value
}
