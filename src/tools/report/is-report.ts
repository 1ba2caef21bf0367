import { createReadStream } from 'node:fs'

const BEGINNING_OF_REPORT =
  /^(?:\{\s*"(?:kind": "countersign |seed": "[^"\n]*",\s*"mutants")|<\?xml [^>]*>\s*<testsuites name="countersign|## countersign)/

export async function isReport(path: string): Promise<boolean> {
  for await (const beginning of createReadStream(path, { end: 500 })) return BEGINNING_OF_REPORT.test(String(beginning))
  return false
}
