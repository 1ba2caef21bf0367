import { useEffect, useState } from 'preact/hooks'
import type { ExchangeEntry } from '../../../../../mock/http/views/entry.js'
import { isForm } from '../../../../../mock/http/views/sent-request.js'
import { getText } from '../../api.js'
import { Problem, useAct } from '../../parts/controls.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Code, visible } from '../../parts/texts.js'

export function Corrected({ exchange: { id, request } }: { readonly exchange: ExchangeEntry }) {
  const path = `requests/${encodeURIComponent(id)}?format=`
  const [[sent = '', corrected = ''], setTexts] = useState<readonly string[]>([])
  const { run, failure } = useAct()
  useEffect(() => {
    void run(async () => setTexts(await Promise.all([getText(`${path}curl`), getText(`${path}corrected`)])))
  }, [])
  const words = wordsOf(sent)
  const keptNames = wordsOf(corrected).map((word) => word.split('=')[0])
  const leftOut = [...Object.keys(request.query), ...(isForm(request.body) ? Object.keys(request.body) : [])].filter(
    (name) => !keptNames.includes(name) && !keptNames.includes(encodeURIComponent(name)),
  )
  return (
    <section aria-labelledby="corrected-title">
      <h3 id="corrected-title">Corrected request</h3>
      <p class="row copies">
        <span>Changes are highlighted.</span>
        <CopyButton name="Copy corrected as curl" text={corrected} />
        <CopyButton name="Copy corrected as fetch" text={() => getText(`${path}corrected-fetch`)} />
      </p>
      <Problem failure={failure} />
      <Code label="Corrected curl line">
        {corrected.split(SEPARATORS).map((word, at) =>
          // Header names have any letter case.
          at % 2 === 1 || words.includes(word) || (word.endsWith(':') && words.includes(word.toLowerCase())) ? (
            visible(word)
          ) : (
            <mark key={at}>{visible(word)}</mark>
          ),
        )}
      </Code>
      {corrected !== '' && leftOut.length > 0 && (
        <p class="quiet">
          Left out:{' '}
          {leftOut.map((name) => (
            <del key={name}>
              <code>{visible(name)}</code>
            </del>
          ))}
        </p>
      )}
    </section>
  )
}

const SEPARATORS = /([\s?&\\'"]+)/

function wordsOf(curl: string): readonly string[] {
  return curl.split(SEPARATORS).filter((_, at) => at % 2 === 0)
}
